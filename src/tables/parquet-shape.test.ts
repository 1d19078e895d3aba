import { parquetWriteBuffer } from "hyparquet-writer";
import { describe, expect, test } from "vitest";
import { requireFooter } from "./parquet-shape.ts";
import { readThrift } from "./thrift.ts";

const thing = {
  kind: "struct" as const,
  name: "a thing",
  wanted: [1],
  fields: { 1: { kind: "i32" as const }, 2: { kind: "word" as const, below: 3 } },
};
const read = (...bytes: number[]) =>
  readThrift({ view: new DataView(Uint8Array.from(bytes).buffer), offset: 0 }, thing);

describe("fields by the compact protocol", () => {
  test("numbers with signs, and what is not described", () => {
    // Field 1 a number of 32 bits, -3; field 5 a text of two bytes; the end.
    expect(read(0x15, 0x05, 0x48, 2, 65, 66, 0)).toEqual({ 1: -3, 5: 2 });
  });

  test.each([
    ["a number of 16 bits for one of 32", [0x14, 0x04, 0], "field 1 of a thing is of another kind"],
    ["a word that there is not", [0x15, 0x04, 0x15, 0x06, 0], "a 3 where it stands for no word"],
    ["nothing of what is wanted", [0x25, 0x02, 0], "a thing lacks its field 1"],
    ["a text behind the end", [0x15, 0x02, 0x48, 9, 65, 0], "end behind all that there is"],
    ["a kind that there is not", [0x15, 0x02, 0x4d, 0], "a field of kind 13"],
    ["an empty list of such a kind", [0x15, 0x02, 0x49, 0xff, 0, 0], "a list of kind 15"],
  ])("%s", (_, bytes, told) => {
    expect(() => read(...bytes)).toThrow(told);
  });
});

test("footers that others write are whole, and one with another encoding is not", () => {
  const columnData = [{ name: "a", data: ["x", "y", "x"], type: "STRING" as const }];
  const file = new Uint8Array(parquetWriteBuffer({ columnData }));
  const size = new DataView(file.buffer).getUint32(file.length - 8, true);
  const footer = file.subarray(file.length - 8 - size, file.length - 8);
  expect(() => requireFooter(footer)).not.toThrow();
  const changed = [...footer.keys()].map((at) => {
    const copy = footer.slice();
    copy[at] = 0x02;
    try {
      requireFooter(copy);
      return "whole";
    } catch (cause) {
      return (cause as Error).message;
    }
  });
  expect(changed).toContain("a column has a 1 where it stands for no word");
});

test("a schema's elements all have a place, and none lacks those below it", () => {
  const columnData = [{ name: "a", data: [1, 2], type: "INT32" as const }];
  const file = new Uint8Array(parquetWriteBuffer({ columnData }));
  const size = new DataView(file.buffer).getUint32(file.length - 8, true);
  const footer = Buffer.from(file.subarray(file.length - 8 - size, file.length - 8));
  // Behind the name of the first element: one below it.
  const at = footer.indexOf("root") + 4;
  expect([...footer.subarray(at, at + 3)]).toEqual([0x15, 0x02, 0x00]);
  for (const [written, told] of [
    [0x01, "element 1 of the schema has no place, or -1 below it"],
    [0x00, "element 2 of the schema has no place"],
    [0x04, "1 elements of the schema are missing"],
  ] as const) {
    const changed = Uint8Array.from(footer);
    changed[at + 1] = written;
    expect(() => requireFooter(changed)).toThrow(told);
  }
});
