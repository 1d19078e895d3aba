/** An ONNX file with other numbers at a few places: everything else stays as its bytes are. */

import type { Shape } from "../tensor.ts";
import { encodeInitializer, Message } from "./protobuf.ts";
import { textOf, wireFields } from "./wire.ts";

/** An input of the node that makes a value. */
export interface NodeInput {
  output: string;
  input: number;
}

export interface Rewiring {
  at: NodeInput;
  /** Of the new tensor; nothing else in the file may be called so. */
  name: string;
  shape: Shape;
  data: Float32Array;
}

/** Fields of ONNX's messages that are numbers; all others here are texts and messages. */
const numbersOfModel = [1, 5];

/** Old numbers that nobody takes any more are left out. */
export function rewired(model: Uint8Array, changes: readonly Rewiring[]): Uint8Array {
  const made = new Message();
  for (const { number, value, bytes } of wireFields(model)) {
    if (numbersOfModel.includes(number)) made.integer(number, value);
    else made.bytes(number, number === 7 ? rewiredGraph(bytes, changes) : bytes);
  }
  return made.finish();
}

function rewiredGraph(graph: Uint8Array, changes: readonly Rewiring[]): Uint8Array {
  const fields = [...wireFields(graph)].map(({ number, bytes }) => ({ number, bytes }));
  const before = new Set<string>();
  const after = new Set<string>();
  for (const field of fields.filter(({ number }) => number === 1)) {
    for (const name of inputsOf(field.bytes)) before.add(name);
    field.bytes = rewiredNode(field.bytes, changes);
    for (const name of inputsOf(field.bytes)) after.add(name);
  }
  const left = (name: string) => before.has(name) && !after.has(name);
  const made = new Message();
  for (const { number, bytes } of fields)
    if (number !== 5 || !left(nameOfTensor(bytes))) made.bytes(number, bytes);
  for (const { name, shape, data } of changes)
    made.message(5, encodeInitializer({ name, type: "float", shape, data }));
  return made.finish();
}

function rewiredNode(node: Uint8Array, changes: readonly Rewiring[]): Uint8Array {
  const fields = [...wireFields(node)];
  const outputs = fields.filter(({ number }) => number === 2).map(textOf);
  const own = changes.filter(({ at }) => outputs.includes(at.output));
  if (own.length === 0) return node;
  const inputs = inputsOf(node);
  for (const { at, name } of own) inputs[at.input] = name;
  const made = new Message();
  for (const name of inputs) made.text(1, name);
  for (const { number, bytes } of fields) if (number !== 1) made.bytes(number, bytes);
  return made.finish();
}

function inputsOf(node: Uint8Array): string[] {
  return [...wireFields(node)].filter(({ number }) => number === 1).map(textOf);
}

function nameOfTensor(tensor: Uint8Array): string {
  for (const field of wireFields(tensor)) if (field.number === 8) return textOf(field);
  return "";
}
