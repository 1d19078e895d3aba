/** Encodes the part of ONNX's ModelProto that the engine uses. Field numbers are those of onnx.proto (IR version 8). */

import type { Shape } from "../tensor.ts";

const irVersion = 8;

const elementTypes = { float: 1, uint8: 2, int32: 6, int64: 7, bool: 9 } as const;
type ElementType = keyof typeof elementTypes;

/** Plain numbers are integers in ONNX; floats must say so. A graph is the body of an op that repeats it. */
export type AttributeValue = number | string | readonly number[] | { float: number } | { graph: GraphParts };

export interface GraphNode {
  operator: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes: Record<string, AttributeValue>;
  domain: string;
}

export interface Initializer {
  name: string;
  type: ElementType;
  shape: Shape;
  data: ArrayLike<number>;
}

export interface ValueInfo {
  name: string;
  type: ElementType;
  /** A string names a length that is free at run time, such as the batch. */
  shape: readonly (number | string)[];
  /** A list of such tensors instead of one. */
  list?: boolean;
}

interface GraphParts {
  nodes: readonly GraphNode[];
  initializers: readonly Initializer[];
  inputs: readonly ValueInfo[];
  outputs: readonly ValueInfo[];
}

export interface ModelParts extends GraphParts {
  opsets: Readonly<Record<string, number>>;
  metadata?: Readonly<Record<string, string>>;
}

export function encodeModel(parts: ModelParts): Uint8Array {
  const model = new Message();
  model.integer(1, irVersion);
  model.text(2, "cuelab");
  model.message(7, encodeGraph(parts));
  for (const [domain, version] of Object.entries(parts.opsets)) {
    model.message(8, new Message().text(1, domain).integer(2, version));
  }
  for (const [key, value] of Object.entries(parts.metadata ?? {})) {
    model.message(14, new Message().text(1, key).text(2, value));
  }
  return model.finish();
}

function encodeGraph(parts: GraphParts): Message {
  const graph = new Message();
  for (const node of parts.nodes) graph.message(1, encodeNode(node));
  graph.text(2, "graph");
  for (const initializer of parts.initializers) graph.message(5, encodeInitializer(initializer));
  for (const input of parts.inputs) graph.message(11, encodeValueInfo(input));
  for (const output of parts.outputs) graph.message(12, encodeValueInfo(output));
  return graph;
}

function encodeNode(node: GraphNode): Message {
  const message = new Message();
  for (const input of node.inputs) message.text(1, input);
  for (const output of node.outputs) message.text(2, output);
  message.text(3, node.outputs[0] ?? "").text(4, node.operator);
  for (const [name, value] of Object.entries(node.attributes))
    message.message(5, encodeAttribute(name, value));
  return message.text(7, node.domain);
}

function encodeAttribute(name: string, value: AttributeValue): Message {
  const message = new Message().text(1, name);
  if (typeof value === "number") return message.integer(3, value).integer(20, 2);
  if (typeof value === "string") return message.text(4, value).integer(20, 3);
  if ("float" in value) return message.float(2, value.float).integer(20, 1);
  if ("graph" in value) return message.message(6, encodeGraph(value.graph)).integer(20, 5);
  for (const item of value) message.integer(8, item);
  return message.integer(20, 7);
}

export function encodeInitializer({ name, type, shape, data }: Initializer): Message {
  const message = new Message();
  for (const length of shape) message.integer(1, length);
  return message.integer(2, elementTypes[type]).text(8, name).bytes(9, rawData(type, data));
}

function rawData(type: ElementType, data: ArrayLike<number>): Uint8Array {
  const typed = {
    float: () => Float32Array.from(data),
    uint8: () => Uint8Array.from(data),
    int32: () => Int32Array.from(data),
    int64: () => BigInt64Array.from(Array.from(data, BigInt)),
    bool: () => Uint8Array.from(data),
  }[type]();
  return new Uint8Array(typed.buffer, typed.byteOffset, typed.byteLength);
}

function encodeValueInfo({ name, type, shape, list = false }: ValueInfo): Message {
  const dimensions = new Message();
  for (const length of shape) {
    const dimension = new Message();
    if (typeof length === "number") dimension.integer(1, length);
    else dimension.text(2, length);
    dimensions.message(1, dimension);
  }
  const tensorType = new Message().integer(1, elementTypes[type]).message(2, dimensions);
  const one = new Message().message(1, tensorType);
  return new Message()
    .text(1, name)
    .message(2, list ? new Message().message(4, new Message().message(1, one)) : one);
}

/** One protobuf message being written: a list of byte chunks. */
export class Message {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  integer(field: number, value: number): this {
    return this.#push(varint(field * 8)).#push(varint(value));
  }

  float(field: number, value: number): this {
    return this.#push(varint(field * 8 + 5)).#push(new Uint8Array(Float32Array.of(value).buffer));
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    return this.#push(varint(field * 8 + 2))
      .#push(varint(value.length))
      .#push(value);
  }

  message(field: number, inner: Message): this {
    this.#push(varint(field * 8 + 2)).#push(varint(inner.#length));
    for (const chunk of inner.#chunks) this.#push(chunk);
    return this;
  }

  finish(): Uint8Array {
    const result = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      result.set(chunk, offset);
      offset += chunk.length;
    }
    return result;
  }

  #push(chunk: Uint8Array): this {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this;
  }
}

/** Base 128, lowest group first; negative numbers as 64-bit two's complement. */
function varint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
