/** Tables of a terminal: aligned, and as narrow as it is. */

import { expect, test } from "vitest";
import { textTable } from "./text-table.ts";

const header = ["name", "what it is", "n"];
const rows = [
  ["colored-mnist", "digits whose colour goes with the class, in two environments", "12"],
  ["averyveryverylongword", "x", "3"],
];

test("a pipe gets one line a row", () => {
  const lines = textTable(header, rows, Number.POSITIVE_INFINITY).split("\n");
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/^colored-mnist {10}digits .* environments {2}12$/);
});

test("no line is longer than the terminal is wide, and nothing is lost", () => {
  const text = textTable(header, rows, 44);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(44);
  const words = text.split(/\s+/);
  for (const word of rows[0]![1]!.split(" ")) expect(words).toContain(word);
  expect(text.split("\n")[2]).toMatch(/ {2}12$/);
});

test("a word that is too long is broken", () => {
  const lines = textTable(["a", "b"], [["averyvery".repeat(4), "1"]], 16).split("\n");
  expect(
    lines
      .slice(2)
      .map((line) => line.split(/\s/)[0])
      .join(""),
  ).toBe("averyvery".repeat(4));
  expect(lines[2]).toMatch(/ {2}1$/);
});
