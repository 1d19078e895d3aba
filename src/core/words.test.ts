/** Lists as sentences have them. */

import { expect, test } from "vitest";
import { listText } from "./words.ts";

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
