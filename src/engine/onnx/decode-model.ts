/** ONNX's ModelProto, read as far as networks need it. Field numbers are those of onnx.proto. */

import { decodeEntry, decodeTensor, type StoredTensor } from "./decode-tensor.ts";
import { floatsOf, integersOf, textOf, type WireField, wireFields } from "./wire.ts";

/** What a node is told beside its inputs. */
type StoredAttribute =
  | { kind: "number"; value: number }
  | { kind: "numbers"; value: readonly number[] }
  | { kind: "text"; value: string }
  | { kind: "tensor"; value: StoredTensor }
  /** A graph, or something else that no network of these needs. */
  | { kind: "other" };

export interface StoredNode {
  name: string;
  operator: string;
  /** Empty for ONNX's own. */
  domain: string;
  /** Empty names stand for inputs and outputs that are left out. */
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: ReadonlyMap<string, StoredAttribute>;
}

interface StoredValue {
  name: string;
  /** Number of the element type in onnx.proto; 0 where it is no tensor. */
  type: number;
  /** A text where a length is free; undefined where nothing is said. */
  shape: readonly (number | string)[] | undefined;
}

export interface StoredGraph {
  nodes: readonly StoredNode[];
  initialisers: ReadonlyMap<string, StoredTensor>;
  inputs: readonly StoredValue[];
  outputs: readonly StoredValue[];
}

export interface StoredModel {
  graph: StoredGraph;
  /** Version of each operator set, by its domain. */
  opsets: ReadonlyMap<string, number>;
  metadata: ReadonlyMap<string, string>;
  producer: string;
  /** Operators that the file defines itself. */
  functions: number;
}

export function decodeModel(bytes: Uint8Array): StoredModel {
  const [opsets, metadata] = [new Map<string, number>(), new Map<string, string>()];
  let [graph, producer, functions]: [StoredGraph | undefined, string, number] = [undefined, "", 0];
  for (const field of wireFields(bytes)) {
    if (field.number === 2) producer = textOf(field);
    else if (field.number === 7) graph = decodeGraph(field.bytes);
    else if (field.number === 8) opsets.set(...decodeOpset(field.bytes));
    else if (field.number === 14) metadata.set(...decodeEntry(field.bytes));
    else if (field.number === 25) functions++;
  }
  if (graph === undefined) throw new Error("it holds no graph");
  return { graph, opsets, metadata, producer, functions };
}

function decodeOpset(bytes: Uint8Array): [string, number] {
  let [domain, version] = ["", 1];
  for (const field of wireFields(bytes)) {
    if (field.number === 1) domain = ownDomain(textOf(field));
    else if (field.number === 2) version = field.value;
  }
  return [domain, version];
}

/** ONNX's own operators are told in two ways. */
function ownDomain(domain: string): string {
  return domain === "ai.onnx" ? "" : domain;
}

function decodeGraph(bytes: Uint8Array): StoredGraph {
  const initialisers = new Map<string, StoredTensor>();
  const [nodes, inputs, outputs]: [StoredNode[], StoredValue[], StoredValue[]] = [[], [], []];
  for (const field of wireFields(bytes)) {
    if (field.number === 1) nodes.push(decodeNode(field.bytes));
    else if (field.number === 5) {
      const tensor = decodeTensor(field.bytes);
      initialisers.set(tensor.name, tensor);
    } else if (field.number === 11) inputs.push(decodeValue(field.bytes));
    else if (field.number === 12) outputs.push(decodeValue(field.bytes));
    else if (field.number === 15) throw new Error("it holds sparse tensors");
  }
  // Old files list weights among the inputs, too.
  return { nodes, initialisers, inputs: inputs.filter(({ name }) => !initialisers.has(name)), outputs };
}

function decodeNode(bytes: Uint8Array): StoredNode {
  const [inputs, outputs]: [string[], string[]] = [[], []];
  const attributes = new Map<string, StoredAttribute>();
  let [name, operator, domain] = ["", "", ""];
  for (const field of wireFields(bytes)) {
    if (field.number === 1) inputs.push(textOf(field));
    else if (field.number === 2) outputs.push(textOf(field));
    else if (field.number === 3) name = textOf(field);
    else if (field.number === 4) operator = textOf(field);
    else if (field.number === 5) attributes.set(...decodeAttribute(field.bytes));
    else if (field.number === 7) domain = ownDomain(textOf(field));
  }
  return { name, operator, domain, inputs, outputs, attributes };
}

/** By its declared type: an empty list leaves no other trace. */
function decodeAttribute(bytes: Uint8Array): [string, StoredAttribute] {
  const fields = [...wireFields(bytes)];
  const of = (number: number) => fields.filter((field) => field.number === number);
  const last = (number: number): WireField | undefined => of(number).at(-1);
  const name = textOf(last(1) ?? { bytes: new Uint8Array(0) });
  const number = (value: number): StoredAttribute => ({ kind: "number", value });
  const numbers = (value: number[]): StoredAttribute => ({ kind: "numbers", value });
  const byType: Readonly<Record<number, () => StoredAttribute>> = {
    1: () => number(floatsOf(last(2) ?? { bytes: new Uint8Array(4) })[0]!),
    2: () => number(last(3)?.value ?? 0),
    3: () => ({ kind: "text", value: textOf(last(4) ?? { bytes: new Uint8Array(0) }) }),
    4: () => ({ kind: "tensor", value: decodeTensor(last(5)?.bytes ?? new Uint8Array(0)) }),
    6: () => numbers(of(7).flatMap((field) => [...floatsOf(field)])),
    7: () => numbers(of(8).flatMap(integersOf)),
  };
  return [name, byType[last(20)?.value ?? 0]?.() ?? { kind: "other" }];
}

/** ValueInfoProto, of a tensor. */
function decodeValue(bytes: Uint8Array): StoredValue {
  const value: StoredValue = { name: "", type: 0, shape: undefined };
  for (const field of wireFields(bytes)) {
    if (field.number === 1) value.name = textOf(field);
    else if (field.number === 2)
      for (const inner of wireFields(field.bytes))
        if (inner.number === 1) Object.assign(value, decodeTensorType(inner.bytes));
  }
  return value;
}

function decodeTensorType(bytes: Uint8Array): Omit<StoredValue, "name"> {
  const found: Omit<StoredValue, "name"> = { type: 0, shape: undefined };
  for (const field of wireFields(bytes)) {
    if (field.number === 1) found.type = field.value;
    else if (field.number === 2)
      found.shape = [...wireFields(field.bytes)].map((dimension) => decodeLength(dimension.bytes));
  }
  return found;
}

function decodeLength(bytes: Uint8Array): number | string {
  for (const field of wireFields(bytes)) {
    if (field.number === 1 && field.value > 0) return field.value;
    if (field.number === 2) return textOf(field);
  }
  return "";
}
