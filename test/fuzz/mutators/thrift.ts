/** Parquet files taken apart: the footer as a tree of Thrift's compact fields, changed and put together with its right length. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

type Value = bigint | number | boolean | Buffer | List | Struct;
interface List {
  type: number;
  items: Value[];
}
type Struct = Map<number, { type: number; value: Value }>;

/** Thrift's compact protocol, by its specification: types 1 and 2 are truths, 3 to 6 whole numbers, 7 doubles, 8 bytes. */
class Reader {
  at: number;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error("a number without end");
  }

  zigzag(): bigint {
    const value = this.varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error("the end");
    return byte;
  }

  struct(): Struct {
    const fields: Struct = new Map();
    for (let id = 0; ; ) {
      const head = this.byte();
      if (head === 0) return fields;
      id = head >> 4 === 0 ? Number(this.zigzag()) : id + (head >> 4);
      fields.set(id, { type: head & 15, value: this.value(head & 15) });
    }
  }

  value(type: number): Value {
    if (type <= 2) return type === 1;
    if (type === 3) return this.byte();
    if (type <= 6) return this.zigzag();
    if (type === 7) return this.taken(8);
    if (type === 8) return this.taken(Number(this.varint()));
    if (type === 12) return this.struct();
    const head = this.byte();
    const size = head >> 4 === 15 ? Number(this.varint()) : head >> 4;
    if (size > this.bytes.length) throw new Error("too long a list");
    const inner = head & 15;
    return {
      type: inner,
      items: Array.from({ length: size }, () => (inner <= 2 ? this.byte() === 1 : this.value(inner))),
    };
  }

  taken(size: number): Buffer {
    this.at += size;
    if (this.at > this.bytes.length) throw new Error("the end");
    return this.bytes.subarray(this.at - size, this.at);
  }
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}

function zigzag(value: bigint): Buffer {
  return varint((value << 1n) ^ (value >> 63n));
}

function written(type: number, value: Value): Buffer {
  if (type <= 2) return Buffer.alloc(0);
  if (type === 3) return Buffer.from([Number(value) & 255]);
  if (type <= 6) return zigzag(BigInt.asIntN(64, value as bigint));
  if (type === 7) return value as Buffer;
  if (type === 8) return Buffer.concat([varint(BigInt((value as Buffer).length)), value as Buffer]);
  if (type === 12) return writtenStruct(value as Struct);
  const { type: inner, items } = value as List;
  const head =
    items.length < 15
      ? Buffer.from([(items.length << 4) | inner])
      : Buffer.concat([Buffer.from([0xf0 | inner]), varint(BigInt(items.length))]);
  return Buffer.concat([
    head,
    ...items.map((item) => (inner <= 2 ? Buffer.from([item === true ? 1 : 2]) : written(inner, item))),
  ]);
}

function writtenStruct(fields: Struct): Buffer {
  const parts: Buffer[] = [];
  let before = 0;
  for (const [id, { type, value }] of [...fields].sort(([a], [b]) => a - b)) {
    const real = type <= 2 ? (value === true ? 1 : 2) : type;
    const step = id - before;
    parts.push(
      step > 0 && step < 16
        ? Buffer.from([(step << 4) | real])
        : Buffer.concat([Buffer.from([real]), zigzag(BigInt(id))]),
      written(type, value),
    );
    before = id;
  }
  return Buffer.concat([...parts, Buffer.from([0])]);
}

const odd = [
  0n,
  1n,
  -1n,
  2n,
  3n,
  7n,
  100n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 53n,
  2n ** 62n,
  -(2n ** 62n),
];

/** One field, anywhere, is another, missing, or of another kind; lists lose, repeat and exchange items. */
function changed(value: Struct | List, chance: Chance): void {
  const isList = !(value instanceof Map);
  const inner: [number, Value][] = isList
    ? [...value.items.entries()]
    : [...value].map(([id, field]) => [id, field.value]);
  if (inner.length === 0) return;
  const [at, item] = chance.pick(inner);
  if ((item instanceof Map || (typeof item === "object" && !Buffer.isBuffer(item))) && chance.happens(0.8)) {
    changed(item as Struct | List, chance);
    return;
  }
  const put = (next: Value) => {
    if (isList) value.items[at] = next;
    else value.set(at, { ...value.get(at)!, value: next });
  };
  const kind = chance.below(6);
  if (kind === 0) {
    if (isList) value.items.splice(at, 1);
    else value.delete(at);
  } else if (kind === 1 && isList) value.items.splice(at, 0, chance.pick(value.items));
  else if (typeof item === "bigint")
    put(chance.happens(0.5) ? item + chance.pick([1n, -1n, 4n, -4n, 64n]) : chance.pick(odd));
  else if (typeof item === "boolean") put(!item);
  else if (typeof item === "number") put(chance.below(256));
  else if (Buffer.isBuffer(item))
    put(
      chance.pick([
        Buffer.alloc(0),
        Buffer.from("label"),
        Buffer.from("__proto__"),
        Buffer.from("bytes"),
        Buffer.from([0xff, 0xfe]),
        Buffer.concat([item, item]),
        Buffer.alloc(8, 0xff),
      ]),
    );
  else if (isList) value.items.reverse();
  else value.delete(at);
}

/** The footer's tree, in its right length. */
export const parquetFields: Mutator = (bytes, chance) => {
  if (bytes.length < 12) return bytes;
  const end = bytes.length - 8;
  const start = end - bytes.readUInt32LE(end);
  if (start < 4) return bytes;
  try {
    const tree = new Reader(bytes.subarray(start, end)).struct();
    for (let times = 1 + chance.below(2); times > 0; times--) changed(tree, chance);
    const footer = writtenStruct(tree);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(footer.length);
    return Buffer.concat([bytes.subarray(0, start), footer, length, bytes.subarray(end + 4)]);
  } catch {
    return bytes;
  }
};

/** The header of one page, as long as before: places in the footer stay right. */
export const parquetPageFields: Mutator = (bytes, chance) => {
  const heads: number[] = [];
  for (let at = 4; at + 24 < bytes.length; at++)
    if (bytes[at] === 0x15 && bytes[at + 1]! <= 6 && bytes[at + 2] === 0x15) heads.push(at);
  if (heads.length === 0) return bytes;
  const start = chance.pick(heads);
  try {
    const reader = new Reader(bytes, start);
    const tree = reader.struct();
    for (let tries = 0; tries < 20; tries++) {
      changed(tree, chance);
      const head = writtenStruct(tree);
      if (head.length === reader.at - start && !head.equals(bytes.subarray(start, reader.at)))
        return Buffer.concat([bytes.subarray(0, start), head, bytes.subarray(reader.at)]);
    }
  } catch {
    // No header of a page after all.
  }
  return bytes;
};
