import { expect, test } from "vitest";
import { editDistance, nearest } from "./nearest.ts";
import { bring, Registry } from "./registry.ts";

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

test("one more is added with who brings it, who is told where the name is taken", () => {
  const trees = new Registry<{ name: string; old?: boolean }>("tree", [{ name: "oak" }], {
    adopt: (tree) => ({ ...tree, old: false }),
  });
  trees.add({ name: "elm" }, "a.ts");
  expect(trees.get("elm")).toEqual({ name: "elm", old: false });
  expect(trees.names).toEqual(["oak", "elm"]);
  expect(() => trees.add({ name: "oak" }, "b.ts")).toThrow(
    /tree "oak" is taken\n.*b.ts\n.*from cuelab itself/,
  );
  expect(() => trees.add({ name: "elm" }, "b.ts")).toThrow(/from a\.ts/);
});

test("what is brought waits for its registry, and all of it or nothing is taken", () => {
  const early = { key: "birds", entry: { name: "wren" }, from: "a.ts" };
  bring([early]);
  expect(() => bring([{ ...early, from: "b.ts" }])).toThrow(/bird "wren" is taken/);
  const birds = new Registry("bird", [{ name: "owl" }], { plugins: "birds" });
  expect(() => birds.get("flamingo")).toThrow(/try: if it is one of your own, bring it with --plugin$/);
  expect(birds.names).toEqual(["owl", "wren"]);
  const late = ["lark", "owl"].map((name) => ({ key: "birds", entry: { name }, from: "c.ts" }));
  expect(() => bring(late)).toThrow(/bird "owl" is taken/);
  expect(birds.names).toEqual(["owl", "wren"]);
  bring(late.slice(0, 1));
  expect(birds.names).toEqual(["owl", "wren", "lark"]);
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
  expect(nearest("count.train", ["photographs.train", "count.train.easy"])).toBe("count.train.easy");
});
