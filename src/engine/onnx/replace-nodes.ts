/** An ONNX file in which some nodes gave way to others: everything else stays as its bytes are. */

import { encodeInitializer, type Initializer, Message } from "./protobuf.ts";
import { textOf, wireFields } from "./wire.ts";

interface PlainNode {
  operator: string;
  inputs: readonly string[];
  output: string;
  /** The only attribute that is needed here. */
  axis?: number;
}

export interface Replacement {
  /** Outputs of the nodes that go; the last of them in the file makes room. */
  without: readonly string[];
  nodes: readonly PlainNode[];
  /** Nothing else in the file may be called so. */
  initializers: readonly Initializer[];
}

/** Fields of ONNX's messages that are numbers; all others here are texts and messages. */
const numbersOfModel = [1, 5];

export function withNodes(model: Uint8Array, replacement: Replacement): Uint8Array {
  const made = new Message();
  for (const { number, value, bytes } of wireFields(model)) {
    if (numbersOfModel.includes(number)) made.integer(number, value);
    else made.bytes(number, number === 7 ? graphWith(bytes, replacement) : bytes);
  }
  return made.finish();
}

function graphWith(graph: Uint8Array, { without, nodes, initializers }: Replacement): Uint8Array {
  const fields = [...wireFields(graph)];
  const goes = fields.map(
    ({ number, bytes }) => number === 1 && namesIn(bytes, 2).some((name) => without.includes(name)),
  );
  const room = goes.lastIndexOf(true);
  const taken = new Set(
    fields.flatMap(({ number, bytes }, i) => (number === 1 && !goes[i] ? namesIn(bytes, 1) : [])),
  );
  for (const { inputs } of nodes) for (const name of inputs) taken.add(name);
  const gone = new Set(fields.flatMap(({ bytes }, i) => (goes[i] ? namesIn(bytes, 1) : [])));
  const made = new Message();
  for (const [i, { number, bytes }] of fields.entries()) {
    if (i === room) for (const node of nodes) made.message(1, encodedNode(node));
    if (goes[i]) continue;
    // Numbers that nobody takes any more are left out.
    const [name = ""] = number === 5 ? namesIn(bytes, 8) : [];
    if (number === 5 && gone.has(name) && !taken.has(name)) continue;
    made.bytes(number, bytes);
  }
  for (const one of initializers) made.message(5, encodeInitializer(one));
  return made.finish();
}

function encodedNode({ operator, inputs, output, axis }: PlainNode): Message {
  const node = new Message();
  for (const name of inputs) node.text(1, name);
  node.text(2, output).text(3, output).text(4, operator);
  // An attribute: its name, its whole number, and that it is one.
  if (axis !== undefined) node.message(5, new Message().text(1, "axis").integer(3, axis).integer(20, 2));
  return node;
}

function namesIn(message: Uint8Array, field: number): string[] {
  return [...wireFields(message)].filter(({ number }) => number === field).map(textOf);
}
