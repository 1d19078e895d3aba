import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attribute } from "./dataset.ts";
import { packCounts, trainingCountsOf, unpackCounts } from "./training-counts.ts";

function made(rows: readonly (readonly number[])[], sizes: readonly number[]) {
  const column = (at: number) => Uint16Array.from(rows, (row) => row[at]!);
  const attributes = Object.fromEntries(
    sizes.map((size, a): [string, Attribute] => [
      `a${a}`,
      {
        values: column(a + 2),
        valueNames: Array.from({ length: size }, (_, v) => `v${v}`),
        role: a === 1 ? "cue" : "other",
      },
    ]),
  );
  return {
    labels: column(1),
    classNames: ["x", "y", "z"],
    splits: { names: ["test", "train"], values: Uint8Array.from(rows, (row) => row[0]!) },
    attributes,
  };
}

const sizes = [3, 1, 5];
const rows = fc.array(
  fc.tuple(
    fc.nat({ max: 1 }),
    fc.nat({ max: 2 }),
    ...sizes.map((size) => fc.nat({ max: size - 1 })),
  ) as fc.Arbitrary<number[]>,
  { maxLength: 60 },
);

test("every training image is counted once, in the dataset's order, whatever the order of rows", () => {
  fc.assert(
    fc.property(rows, (table) => {
      const counts = trainingCountsOf(made(table, sizes));
      const trained = table.filter(([split]) => split === 1);
      if (counts === null) {
        expect(trained).toEqual([]);
        return;
      }
      expect(counts.attributes).toEqual(["a0", "a1", "a2"]);
      const listed = [...counts.labels].flatMap((label, i) =>
        Array.from({ length: counts.images[i]! }, () => [1, label, ...counts.values.map((v) => v[i]!)]),
      );
      expect(listed.map(String).toSorted()).toEqual(trained.map(String).toSorted());
      const keys = [...counts.labels].map((label, i) =>
        counts.values.reduce((key, v) => key * 8 + v[i]!, label),
      );
      expect(keys).toEqual([...new Set(keys)].toSorted((a, b) => a - b));
      expect(trainingCountsOf(made(table.toReversed(), sizes))).toEqual(counts);
      expect(unpackCounts(JSON.parse(JSON.stringify(packCounts(counts))), "x")).toEqual(counts);
    }),
  );
});

test("where there is no room for all attributes, cues come first and the rest is left out by name", () => {
  const table = Array.from({ length: 64 }, (_, i) => [1, 0, i % 3, 0, i % 5]);
  // 15 combinations of 2 + 7 + 2 + 3 bits are 27 bytes; 3 of 2 + 7 + 2 bits are 5.
  expect(trainingCountsOf(made(table, sizes), 27)!.attributes).toEqual(["a0", "a1", "a2"]);
  const few = trainingCountsOf(made(table, sizes), 8)!;
  expect(few.attributes).toEqual(["a0", "a1"]);
  expect([...few.images]).toEqual([22, 21, 21]);
});

test("damaged counts are refused", () => {
  const packed = packCounts(trainingCountsOf(made([[1, 2, 0, 0, 4]], sizes))!);
  expect(() => unpackCounts({ ...packed, combinations: 9 }, "p.parquet")).toThrow(
    /training counts are damaged[\s\S]*p\.parquet/,
  );
  // Combinations that take no bytes would be without end.
  const endless = { attributes: [], combinations: 2 ** 40, widths: [0, 0], base64: "" };
  expect(() => unpackCounts(endless, "p.parquet")).toThrow(/training counts are damaged/);
});
