import { expect, test } from "vitest";
import { editDistance, nearest } from "./nearest.ts";
import { Registry } from "./registry.ts";

const fruit = new Registry("fruit", [{ name: "apple" }, { name: "pear" }, { name: "group-dro" }]);

test("known names are found, in the order of registration", () => {
  expect(fruit.get("pear")).toEqual({ name: "pear" });
  expect(fruit.names).toEqual(["apple", "pear", "group-dro"]);
});

test("an unknown name lists the known ones and the nearest", () => {
  expect(() => fruit.get("groupdro")).toThrow(
    'unknown fruit "groupdro"\n  expected: one of: apple, pear, group-dro\n  try: did you mean "group-dro"?',
  );
  expect(() => fruit.get("zzzzzzzzz")).not.toThrow(/did you mean/);
});

test("the same name twice is a mistake", () => {
  expect(() => new Registry("fruit", [{ name: "fig" }, { name: "fig" }])).toThrow(/registered twice/);
});

test.each([
  ["", "", 0],
  ["kitten", "sitting", 3],
  ["ab", "ba", 1],
  ["colored", "colord", 1],
  ["", "abc", 3],
])("distance of %s and %s is %i", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test("nothing is near to a word unlike all others", () => {
  expect(nearest("xylophone", ["apple", "pear"])).toBeUndefined();
  expect(nearest("Aple", ["apple", "pear"])).toBe("apple");
});
