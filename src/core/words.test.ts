/** Lists and numbers as sentences have them. */

import { expect, test } from "vitest";
import { fixedText, listText, percentText, tablesAbout } from "./words.ts";

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

test("a heading has a table's name and folder, the whole path stands below", () => {
  expect(tablesAbout(["R/predictions.parquet"])).toEqual({ heading: "R/predictions.parquet", facts: [] });
  expect(tablesAbout(["/home/me/photographs/L/accuracies.csv"])).toEqual({
    heading: "L/accuracies.csv",
    facts: [["file", "/home/me/photographs/L/accuracies.csv"]],
  });
  const two = tablesAbout(["/home/me/a/p.csv", "C:\\me\\b\\p.csv"]);
  expect(two.heading).toBe("2 tables: a/p.csv, b/p.csv");
  expect(two.facts).toEqual([["files", "/home/me/a/p.csv, C:\\me\\b\\p.csv"]]);
});
