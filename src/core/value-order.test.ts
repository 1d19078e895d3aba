import fc from "fast-check";
import { expect, test } from "vitest";
import { compareValues, inValueOrder } from "./value-order.ts";

test("numbers by size, then texts; numbers of one size stay apart", () => {
  expect(inValueOrder(["1a", "10", "9"]).names).toEqual(["9", "10", "1a"]);
  expect(inValueOrder(["1.0", "b", "-2", "1", "B", "01", "(none)", "1e1", "", "0x1", "2"]).names).toEqual([
    "-2",
    "01",
    "1",
    "1.0",
    "2",
    "1e1",
    "",
    "(none)",
    "0x1",
    "B",
    "b",
  ]);
  expect([...inValueOrder(["c", "a", "b"]).rank]).toEqual([2, 0, 1]);
  expect(inValueOrder(["10", "9", "wet", "dry", "1a"], ["wet", "soaked", "dry"]).names).toEqual([
    "wet",
    "dry",
    "9",
    "10",
    "1a",
  ]);
  // Whole numbers that one double stands for, and numbers beyond the largest.
  expect(inValueOrder(["9007199254740993", "9007199254740992", "1e999", "1e998"]).names).toEqual([
    "9007199254740992",
    "9007199254740993",
    "1e998",
    "1e999",
  ]);
});

test("it is an order: any three values, and any order in which they come", () => {
  const value = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom("1", "01", "1.0", "9", "10", "1a", "-1", "1e1", " 1", "Infinity", "NaN"),
    fc.double().map(String),
  );
  fc.assert(
    fc.property(value, value, value, (a, b, c) => {
      expect(Math.sign(compareValues(a, b))).toBe(0 - Math.sign(compareValues(b, a)));
      if (compareValues(a, b) === 0) expect(a).toBe(b);
      if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0)
        expect(compareValues(a, c)).toBeLessThanOrEqual(0);
    }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(value), (values) => {
      expect(inValueOrder(values.toReversed()).names).toEqual(inValueOrder(values).names);
    }),
  );
});
