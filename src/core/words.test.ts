/** Lists and numbers as sentences have them. */

import { expect, test } from "vitest";
import { fixedText, listText, percentText } from "./words.ts";

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
  [["a", "b", "c", "d", "e"], "a, b, c and 2 more"],
  [["erm, rate 0.1", "jtt"], "erm, rate 0.1; and jtt"],
  [["erm, rate 0.1", "jtt", "subg", "dfr"], "erm, rate 0.1; jtt; subg; and 1 more"],
])("%j is said as %s", (names, said) => {
  expect(listText(names, 3)).toBe(said);
});

test("what rounds to nothing has no sign", () => {
  expect([-0.04, -0.05, 0, 0.04, -10].map((value) => fixedText(value, 1))).toEqual([
    "0.0",
    "-0.1",
    "0.0",
    "0.0",
    "-10.0",
  ]);
  expect(percentText(-1e-9)).toBe("0.0%");
});
