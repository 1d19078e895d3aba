/** What parquet.thrift wants of a file's footer and of its pages' headers. */

import { readThrift, type ThriftFields, type ThriftShape } from "./thrift.ts";

const one = (kind: "i16" | "i32" | "i64" | "binary" | "bool" | "any"): ThriftShape => ({ kind });
const [i16, i32, i64, binary, bool] = (["i16", "i32", "i64", "binary", "bool"] as const).map(one) as [
  ThriftShape,
  ThriftShape,
  ThriftShape,
  ThriftShape,
  ThriftShape,
];
const listOf = (of: ThriftShape): ThriftShape => ({ kind: "list", of });
const struct = (name: string, wanted: readonly number[], fields: Readonly<Record<number, ThriftShape>>) => ({
  kind: "struct" as const,
  name,
  wanted,
  fields,
});
const union = struct("a choice", [], {});

/** Of parquet.thrift's enumerations, how many there are; 1 was an encoding that nobody ever wrote. */
const encoding: ThriftShape = { kind: "word", below: 10, except: 1 };
const type: ThriftShape = { kind: "word", below: 8 };
const pageType: ThriftShape = { kind: "word", below: 4 };

const statistics = struct("statistics", [], {
  1: binary,
  2: binary,
  3: i64,
  4: i64,
  5: binary,
  6: binary,
  7: bool,
  8: bool,
});
const keyValue = struct("a pair of texts", [1], { 1: binary, 2: binary });

const column = struct("a column", [1, 2, 3, 4, 5, 6, 7, 9], {
  1: type,
  2: listOf(encoding),
  3: listOf(binary),
  4: { kind: "word", below: 8 },
  5: i64,
  6: i64,
  7: i64,
  8: listOf(keyValue),
  9: i64,
  10: i64,
  11: i64,
  12: statistics,
  14: i64,
  15: i32,
  13: listOf(struct("an account of pages", [1, 2, 3], { 1: pageType, 2: encoding, 3: i32 })),
});
const chunk = struct("a column's place", [2], {
  1: binary,
  2: i64,
  3: column,
  4: i64,
  5: i32,
  6: i64,
  7: i32,
  8: union,
  9: binary,
});
const group = struct("a group of rows", [1, 2, 3], {
  1: listOf(chunk),
  2: i64,
  3: i64,
  5: i64,
  6: i64,
  7: i16,
  4: listOf(struct("an order", [1, 2, 3], { 1: i32, 2: bool, 3: bool })),
});
const element = struct("an element of the schema", [4], {
  1: type,
  2: i32,
  3: { kind: "word", below: 3 },
  4: binary,
  5: i32,
  6: { kind: "word", below: 22 },
  7: i32,
  8: i32,
  9: i32,
  10: union,
});
const footer = struct("the footer", [1, 2, 3, 4], {
  1: i32,
  2: listOf(element),
  3: i64,
  4: listOf(group),
  5: listOf(keyValue),
  6: binary,
  7: listOf(union),
  8: union,
  9: binary,
});

const pageHeader = struct("the header of a page", [1, 2, 3], {
  1: pageType,
  2: i32,
  3: i32,
  4: i32,
  6: union,
  5: struct("the header of a page of values", [1, 2, 3, 4], {
    1: i32,
    2: encoding,
    3: encoding,
    4: encoding,
    5: statistics,
  }),
  7: struct("the header of a dictionary", [1, 2], { 1: i32, 2: encoding, 3: bool }),
  8: struct("the header of a page of values", [1, 2, 3, 4, 5, 6], {
    1: i32,
    2: i32,
    3: i32,
    4: encoding,
    5: i32,
    6: i32,
    7: bool,
    8: statistics,
  }),
});

/** Bytes of a value, by the number of its type; of others they vary. */
const widths = [1, 4, 8, 12, 4, 8];

/** Throws where it is none, or where columns are not those of the schema, or their least and largest values of another size. */
export function requireFooter(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { 2: elements, 4: groups } = readThrift({ view, offset: 0 }, footer);
  requireTree((elements as ThriftFields[]).map(({ 5: children = 0 }) => children as number));
  const leaves = (elements as ThriftFields[]).slice(1).filter(({ 5: children }) => !children);
  for (const { 1: chunks } of groups as ThriftFields[])
    for (const [at, { 3: described }] of (chunks as ThriftFields[]).entries()) {
      const { 1: kind, 12: told = {} } = (described ?? {}) as ThriftFields;
      if (described !== undefined && kind !== leaves[at]?.[1])
        throw new Error(`column ${at + 1} is of another type than in the schema`);
      const width = widths[kind as number];
      if (width !== undefined) requireWidth(told as ThriftFields, width);
    }
}

/** Elements come with how many others each has below it, which follow it at once: all belong somewhere, and nobody lacks one. */
function requireTree(children: readonly number[]): void {
  let wanted = 1;
  for (const [at, count] of children.entries()) {
    if (wanted === 0 || count < 0)
      throw new Error(`element ${at + 1} of the schema has no place, or ${count} below it`);
    wanted += count - 1;
  }
  if (wanted > 0) throw new Error(`${wanted} elements of the schema are missing`);
}

function requireWidth(told: ThriftFields, width: number): void {
  const other = [1, 2, 5, 6].map((field) => told[field]).find((length) => (length ?? width) !== width);
  if (other !== undefined)
    throw new Error(`a least or largest value of ${Number(other)} bytes, where values have ${width}`);
}

/** Moves the reader behind it. */
export function readPageFields(reader: { view: DataView; offset: number }): ThriftFields {
  return readThrift(reader, pageHeader);
}
