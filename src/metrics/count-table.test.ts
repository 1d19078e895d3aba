import fc from "fast-check";
import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { CountTable } from "./count-table.ts";

test("counts as a map from texts would, also where codes are large and slots collide", () => {
  const key = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: 0, max: 2 ** 31 - 1 })), {
    minLength: 3,
    maxLength: 3,
  });
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3000 }), (keys) => {
      const [table, expected] = [new CountTable(3, 1), new Map<string, number>()];
      for (const codes of keys) {
        table.increase(table.indexOf(codes), 0);
        expected.set(codes.join(), (expected.get(codes.join()) ?? 0) + 1);
      }
      const counted = Array.from({ length: table.size }, (_, i) => [
        table.codes(i).join(),
        table.count(i, 0),
      ]);
      expect(counted).toEqual([...expected]);
    }),
    { numRuns: 20 },
  );
});

test("grows past its first size and keeps every count", () => {
  const table = new CountTable(2, 2);
  for (let i = 0; i < 30_000; i++) table.increase(table.indexOf([i % 10_000, 7]), i % 2);
  expect(table.size).toBe(10_000);
  expect([table.count(42, 0), table.count(42, 1), table.count(43, 1)]).toEqual([3, 0, 3]);
});

test("without a position, what differed only there is one", () => {
  const table = new CountTable(2, 1);
  for (const codes of [
    [1, 5],
    [1, 6],
    [2, 5],
    [1, 5],
  ])
    table.increase(table.indexOf(codes), 0);
  const merged = table.without(1);
  expect(Array.from({ length: merged.size }, (_, i) => [...merged.codes(i), merged.count(i, 0)])).toEqual([
    [1, 0, 3],
    [2, 0, 1],
  ]);
});

test("too many combinations are refused with what to do", () => {
  const table = new CountTable(1, 1, 2);
  table.indexOf([1]);
  table.indexOf([2]);
  expect(table.indexOf([1])).toBe(0);
  expectError(() => table.indexOf([3]), "input", "at most 2", "--groups");
});
