/** Protocol buffers, of which ONNX networks are made: fields changed anywhere in the tree, with right lengths around them. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

interface Field {
  number: number;
  wire: number;
  /** Varints as numbers; all else as bytes. */
  value: bigint | Buffer;
}

function fieldsOf(bytes: Buffer): Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the end");
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("no number");
  };
  try {
    while (at < bytes.length) {
      const tag = varint();
      const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
      if (number === 0 || number > 5000) return undefined;
      if (wire === 0) fields.push({ number, wire, value: varint() });
      else {
        const size = wire === 2 ? Number(varint()) : wire === 1 ? 8 : wire === 5 ? 4 : -1;
        if (size < 0 || at + size > bytes.length) return undefined;
        fields.push({ number, wire, value: bytes.subarray(at, at + size) });
        at += size;
      }
    }
    return fields;
  } catch {
    return undefined;
  }
}

function varintOf(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

function bytesOf(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ number, wire, value }) => {
      const tag = varintOf((BigInt(number) << 3n) | BigInt(wire));
      if (typeof value === "bigint") return [tag, varintOf(value)];
      return wire === 2 ? [tag, varintOf(BigInt(value.length)), value] : [tag, value];
    }),
  );
}

const odd = [0n, 1n, 2n, 5n, 16n, -1n, 2n ** 31n, 2n ** 62n, -(2n ** 62n), 10n ** 6n];
const texts = [
  "",
  "Loop",
  "If",
  "Scan",
  "Identity",
  "Constant",
  "__proto__",
  "../../x",
  "input",
  "a".repeat(3000),
];

function changed(bytes: Buffer, chance: Chance, depth: number): Buffer {
  const fields = fieldsOf(bytes);
  if (fields === undefined || fields.length === 0 || depth > 12)
    return chance.happens(0.5)
      ? Buffer.from(chance.pick(texts))
      : bytes.subarray(0, chance.below(bytes.length + 1));
  const at = chance.below(fields.length);
  const field = fields[at]!;
  const kind = chance.below(8);
  if (kind === 0) fields.splice(at, 1);
  else if (kind === 1) fields.splice(at, 0, chance.pick(fields));
  else if (kind === 2) fields.reverse();
  else if (typeof field.value === "bigint")
    fields[at] = {
      ...field,
      value: chance.happens(0.5) ? field.value + chance.pick([1n, -1n]) : chance.pick(odd),
    };
  else if (kind === 3 || field.wire !== 2) {
    const filled = Buffer.from(field.value);
    filled.fill(chance.pick([0, 0xff, 0x7f, 0x80]), chance.below(filled.length + 1));
    fields[at] = { ...field, value: filled };
  } else fields[at] = { ...field, value: changed(field.value, chance, depth + 1) };
  return bytesOf(fields);
}

export const protobufFields: Mutator = (bytes, chance) => changed(bytes, chance, 0);
