/** An ONNX file that ends at one of its inner values: the same bytes with another output, and all numbers within. */

import { Message } from "./protobuf.ts";
import { textOf, wireFields } from "./wire.ts";

/** Fields of ONNX's messages that are numbers; all others here are texts and messages. */
const numbersOfModel = [1, 5];

/** `numbers` are those of tensors that the file keeps elsewhere, by name. The runtime infers the type of the new output. */
export function endedAt(
  model: Uint8Array,
  value: string,
  numbers: ReadonlyMap<string, Uint8Array> = new Map(),
): Uint8Array {
  const made = new Message();
  for (const { number, value: integer, bytes } of wireFields(model)) {
    if (numbersOfModel.includes(number)) made.integer(number, integer);
    else made.bytes(number, number === 7 ? endedGraph(bytes, value, numbers) : bytes);
  }
  return made.finish();
}

function endedGraph(graph: Uint8Array, value: string, numbers: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const made = new Message();
  for (const { number, bytes } of wireFields(graph)) {
    // What the file says of inner values stays; of this one it would be said twice.
    const isSaid = number === 12 || (number === 13 && nameOfValue(bytes) === value);
    if (!isSaid) made.bytes(number, number === 5 ? withNumbers(bytes, numbers) : bytes);
  }
  return made.message(12, new Message().text(1, value)).finish();
}

function nameOfValue(info: Uint8Array): string {
  for (const field of wireFields(info)) if (field.number === 1) return textOf(field);
  return "";
}

/** A tensor's fields: 1 shape, 2 type, 8 name, 9 bytes, 13 where they lie, 14 that they lie elsewhere. */
function withNumbers(tensor: Uint8Array, numbers: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const fields = [...wireFields(tensor)];
  const name = fields.find(({ number }) => number === 8);
  const raw = name && numbers.get(textOf(name));
  if (raw === undefined) return tensor;
  const made = new Message();
  for (const { number, value, bytes } of fields) {
    if (number === 13 || number === 14) continue;
    if (number === 2 || (number === 1 && bytes.length === 0)) made.integer(number, value);
    else made.bytes(number, bytes);
  }
  return made.bytes(9, raw).finish();
}
