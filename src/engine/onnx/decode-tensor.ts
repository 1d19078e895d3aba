/** ONNX's TensorProto, read: numbers as raw bytes, as typed lists, or in a file beside the model. */

import { brainToNumber, halfToNumber } from "../../core/half-floats.ts";
import { sizeOf } from "../shapes.ts";
import type { DType, Shape } from "../tensor.ts";
import { floatsOf, integersOf, textOf, wireFields } from "./wire.ts";

/** Where a tensor's bytes lie that are not in the model's own file. */
interface ExternalPlace {
  location: string;
  offset: number;
  /** Undefined where the file does not say: all that its shape needs. */
  length?: number;
}

export interface StoredTensor {
  name: string;
  shape: Shape;
  /** Number of the element type in onnx.proto. */
  type: number;
  raw?: Uint8Array;
  /** Of those whose numbers are listed instead. */
  listed?: ArrayLike<number>;
  external?: ExternalPlace;
}

interface StoredType {
  name: string;
  bytes: number;
  dtype: DType;
  read(bytes: ArrayBuffer): ArrayLike<number>;
  /** Of a listed number, where it is its bits. */
  listed?: (bits: number) => number;
}

const bigNumbers = (values: BigInt64Array | BigUint64Array) => Float64Array.from(values, Number);

/** Every float type becomes the engine's, every whole number its int. */
const elementTypes: Readonly<Record<number, StoredType>> = {
  1: { name: "float32", bytes: 4, dtype: "float", read: (bytes) => new Float32Array(bytes) },
  2: { name: "uint8", bytes: 1, dtype: "int", read: (bytes) => new Uint8Array(bytes) },
  3: { name: "int8", bytes: 1, dtype: "int", read: (bytes) => new Int8Array(bytes) },
  4: { name: "uint16", bytes: 2, dtype: "int", read: (bytes) => new Uint16Array(bytes) },
  5: { name: "int16", bytes: 2, dtype: "int", read: (bytes) => new Int16Array(bytes) },
  6: { name: "int32", bytes: 4, dtype: "int", read: (bytes) => new Int32Array(bytes) },
  7: { name: "int64", bytes: 8, dtype: "int", read: (bytes) => bigNumbers(new BigInt64Array(bytes)) },
  9: { name: "bool", bytes: 1, dtype: "bool", read: (bytes) => new Uint8Array(bytes) },
  10: {
    name: "float16",
    bytes: 2,
    dtype: "float",
    read: (bytes) => Float32Array.from(new Uint16Array(bytes), halfToNumber),
    listed: halfToNumber,
  },
  11: { name: "float64", bytes: 8, dtype: "float", read: (bytes) => new Float64Array(bytes) },
  12: { name: "uint32", bytes: 4, dtype: "int", read: (bytes) => new Uint32Array(bytes) },
  13: { name: "uint64", bytes: 8, dtype: "int", read: (bytes) => bigNumbers(new BigUint64Array(bytes)) },
  16: {
    name: "bfloat16",
    bytes: 2,
    dtype: "float",
    read: (bytes) => Float32Array.from(new Uint16Array(bytes), brainToNumber),
    listed: brainToNumber,
  },
};

/** Undefined for texts, complex numbers and what only quantised networks hold. */
export function elementTypeOf(type: number): Pick<StoredType, "name" | "dtype" | "bytes"> | undefined {
  return elementTypes[type];
}

export function decodeTensor(bytes: Uint8Array): StoredTensor {
  const shape: number[] = [];
  const listed: number[] = [];
  const about = new Map<string, string>();
  const tensor: StoredTensor = { name: "", shape, type: 0 };
  let isExternal = false;
  for (const field of wireFields(bytes)) {
    if (field.number === 1) shape.push(...integersOf(field));
    else if (field.number === 2) tensor.type = field.value;
    else if (field.number === 4) for (const value of floatsOf(field)) listed.push(value);
    else if ([5, 7, 11].includes(field.number)) for (const value of integersOf(field)) listed.push(value);
    else if (field.number === 8) tensor.name = textOf(field);
    else if (field.number === 9) tensor.raw = field.bytes;
    else if (field.number === 10)
      for (const value of new Float64Array(Uint8Array.from(field.bytes).buffer)) listed.push(value);
    else if (field.number === 13) about.set(...decodeEntry(field.bytes));
    else if (field.number === 14) isExternal = field.value === 1;
  }
  if (isExternal) tensor.external = placeOf(about);
  else if (tensor.raw === undefined) tensor.listed = listed;
  return tensor;
}

/** StringStringEntryProto. */
export function decodeEntry(bytes: Uint8Array): [string, string] {
  const entry: [string, string] = ["", ""];
  for (const field of wireFields(bytes)) if (field.number <= 2) entry[field.number - 1] = textOf(field);
  return entry;
}

function placeOf(about: ReadonlyMap<string, string>): ExternalPlace {
  const length = about.get("length");
  return {
    location: about.get("location") ?? "",
    offset: Number(about.get("offset") ?? 0),
    ...(length !== undefined && { length: Number(length) }),
  };
}

/** How many bytes a tensor of this type and shape has when they are not listed. */
export function bytesOf({ type, shape }: Pick<StoredTensor, "type" | "shape">): number {
  return sizeOf(shape) * (elementTypes[type]?.bytes ?? Number.NaN);
}

/** The numbers; throws where there are more or fewer than the shape has. */
export function numbersOf(tensor: StoredTensor): ArrayLike<number> {
  const element = elementTypes[tensor.type];
  if (element === undefined) throw new Error(`tensor "${tensor.name}" is of element type ${tensor.type}`);
  const { raw, listed = [], shape } = tensor;
  const fits = raw === undefined ? listed.length === sizeOf(shape) : raw.length === bytesOf(tensor);
  if (!fits || !shape.every((length) => Number.isSafeInteger(length) && length >= 0))
    throw new Error(
      `tensor "${tensor.name}" [${shape.join(", ")}] of ${element.name} has ${raw === undefined ? `${listed.length} numbers` : `${raw.length} bytes`}`,
    );
  // Copied: a view must begin at a multiple of its numbers' size.
  if (raw !== undefined) return element.read(Uint8Array.from(raw).buffer);
  return element.listed === undefined ? listed : Float32Array.from(listed, element.listed);
}
