/** The safetensors format: named arrays and texts in one file that Python reads too. Written as float32, read as any. */

import { open } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";

export interface TensorFile {
  tensors: ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>;
  metadata: Readonly<Record<string, string>>;
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** Eight bytes of header length, the header as JSON, then the numbers. */
export function encodeSafetensors({ tensors, metadata }: TensorFile): Uint8Array {
  let offset = 0;
  const entries = [...tensors].map(([name, { shape, data }]) => {
    const start = offset;
    offset += data.byteLength;
    return [
      name,
      { dtype: "F32", shape: [...shape], data_offsets: [start, offset] } satisfies Entry,
    ] as const;
  });
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  // Padded with spaces so that the numbers are aligned.
  const header = Buffer.from(
    json.padEnd(Math.ceil(Buffer.byteLength(json) / 8) * 8 - Buffer.byteLength(json) + json.length),
  );
  const out = Buffer.alloc(8 + header.length + offset);
  out.writeBigUInt64LE(BigInt(header.length), 0);
  out.set(header, 8);
  let at = 8 + header.length;
  for (const { data } of tensors.values()) {
    out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return out;
}

/** Everything but the numbers: what a file holds, without reading it whole. */
export interface TensorListing {
  tensors: ReadonlyMap<string, { shape: readonly number[]; type: string }>;
  metadata: Readonly<Record<string, string>>;
}

export function decodeSafetensors(bytes: Uint8Array, where: string): TensorFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { entries, metadata, start } = decodeHeader(buffer, buffer.length, where);
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of entries) {
    const numbers = buffer.subarray(start + offsets[0], start + offsets[1]);
    tensors.set(name, { shape, data: types[dtype]!.read(numbers) });
  }
  return { tensors, metadata };
}

/** Reads the header alone: a file of weights can be large. */
export async function listSafetensors(path: string): Promise<TensorListing> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const length = Buffer.alloc(8);
    const { bytesRead } = await file.read(length, 0, 8, 0);
    const header = bytesRead === 8 ? Number(length.readBigUInt64LE(0)) : 0;
    const bytes = Buffer.alloc(Math.min(size, 8 + Math.min(header, largestHeader)));
    await file.read(bytes, 0, bytes.length, 0);
    const { entries, metadata } = decodeHeader(bytes, size, path);
    const tensors = entries.map(([name, { dtype, shape }]) => [name, { shape, type: dtype }] as const);
    return { tensors: new Map(tensors), metadata };
  } finally {
    await file.close();
  }
}

/** What the specification allows. */
const largestHeader = 100_000_000;

interface Header {
  entries: (readonly [string, Entry])[];
  metadata: Record<string, string>;
  /** Where the numbers begin. */
  start: number;
}

/** `bytes` hold at least the header of a file of `size` bytes. */
function decodeHeader(bytes: Buffer, size: number, where: string): Header {
  const damaged = (got: string) =>
    new CuelabError({
      kind: "input",
      what: "not a usable safetensors file",
      where,
      expected: "a whole file of the safetensors format: a header that names all tensors, then their numbers",
      got,
      todo:
        foreignKind(bytes) === undefined
          ? `copy or download it again; if it is PyTorch's, ${convert}`
          : convert,
    });
  const kind = foreignKind(bytes);
  if (kind !== undefined) throw damaged(kind);
  if (bytes.length < 8) throw damaged(`${bytes.length} bytes`);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  if (start > size) throw damaged("a header that reaches beyond the end (truncated)");
  let header: Record<string, unknown>;
  try {
    header = JSON.parse(bytes.toString("utf8", 8, start)) as typeof header;
  } catch (cause) {
    throw damaged(`a header that is no JSON: ${(cause as Error).message}`);
  }
  const { __metadata__: metadata = {}, ...entries } = header;
  for (const [name, entry] of Object.entries(entries)) {
    if (!isEntry(entry)) throw damaged(`tensor "${name}" without type, shape and place`);
    const { dtype, shape, data_offsets: offsets } = entry;
    const type = types[dtype];
    if (type === undefined)
      throw damaged(`tensor "${name}" of type ${dtype}; ${Object.keys(types).join(", ")} are read`);
    const length = shape.reduce((product, n) => product * n, 1);
    if (start + offsets[1] > size || offsets[1] - offsets[0] !== type.bytes * length)
      throw damaged(`tensor "${name}" is cut short`);
  }
  return {
    entries: Object.entries(entries) as [string, Entry][],
    metadata: metadata as Record<string, string>,
    start,
  };
}

function isEntry(entry: unknown): entry is Entry {
  const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Partial<Entry>;
  const areCounts = (list: unknown) =>
    Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && n >= 0);
  return typeof dtype === "string" && areCounts(shape) && areCounts(offsets) && offsets!.length === 2;
}

const convert =
  "convert it in Python: from safetensors.torch import save_file; save_file(torch.load(file, map_location='cpu'), 'weights.safetensors')";

/** What people mistake for it, known by its first bytes. */
function foreignKind(bytes: Buffer): string | undefined {
  const begins = (...values: number[]) => values.every((value, i) => bytes[i] === value);
  // A header of four gigabytes is none: where these are zero, the first bytes may well be a length.
  if (bytes.subarray(4, 8).every((byte) => byte === 0)) return undefined;
  if (begins(0x50, 0x4b, 0x03, 0x04)) return "a zip archive, such as PyTorch's .pt and .pth files";
  if (begins(0x80, 0x02)) return "a Python pickle, such as PyTorch's older .pth files";
  return undefined;
}

interface NumberType {
  bytes: number;
  read(bytes: Uint8Array): Float32Array;
}

/** Copied first: a view must begin at a multiple of its numbers' size. */
function converted(
  Numbers: new (buffer: ArrayBuffer) => { length: number; [index: number]: number | bigint },
  bytes: number,
  of: (value: number) => number = (value) => value,
): NumberType {
  return {
    bytes,
    read(from) {
      const values = new Numbers(Uint8Array.from(from).buffer);
      const result = new Float32Array(values.length);
      for (let i = 0; i < result.length; i++) result[i] = of(Number(values[i]!));
      return result;
    },
  };
}

/** Everything becomes float32, as the engine holds it; half precision loses nothing by that. */
const types: Readonly<Record<string, NumberType>> = {
  F32: {
    bytes: 4,
    read(from) {
      const data = new Float32Array(from.length / 4);
      new Uint8Array(data.buffer).set(from);
      return data;
    },
  },
  F16: converted(Uint16Array, 2, halfToNumber),
  BF16: converted(Uint16Array, 2, brainToNumber),
  F64: converted(Float64Array, 8),
  I64: converted(BigInt64Array, 8),
  I32: converted(Int32Array, 4),
  U8: converted(Uint8Array, 1),
  BOOL: converted(Uint8Array, 1),
};

/** IEEE 754 half precision: 1 sign, 5 exponent and 10 fraction bits. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const brainBits = new Uint32Array(1);
const brainFloat = new Float32Array(brainBits.buffer);

/** The upper half of a float32. */
function brainToNumber(bits: number): number {
  brainBits[0] = bits << 16;
  return brainFloat[0]!;
}
