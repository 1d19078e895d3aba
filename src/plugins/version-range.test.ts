import { expect, test } from "vitest";
import { fitsRange } from "./version-range.ts";

// As npm reads them: https://github.com/npm/node-semver#advanced-range-syntax
test.each([
  ["^0.1.0", "0.1.0", true],
  ["^0.1.0", "0.1.9", true],
  ["^0.1.2", "0.1.1", false],
  ["^0.1.0", "0.2.0", false],
  ["^0.0.3", "0.0.4", false],
  ["^0.1", "0.1.7", true],
  ["^1.2.3", "1.9.0", true],
  ["^1.2.3", "2.0.0", false],
  ["^1.2.3", "1.2.2", false],
  ["~1.2.3", "1.2.9", true],
  ["~1.2.3", "1.3.0", false],
  ["~1", "1.9.0", true],
  [">=0.1", "3.0.0", true],
  [">=0.1.0 <0.3.0", "0.2.9", true],
  [">=0.1.0 <0.3.0", "0.3.0", false],
  ["0.1", "0.1.5", true],
  ["0.1.x", "0.1.5", true],
  ["0.1.0", "0.1.1", false],
  ["=1.0.0", "1.0.0", true],
])("%s and %s: %s", (range, version, expected) => {
  expect(fitsRange(range, version)).toBe(expected);
});

test.each(["latest", "", "^a", "1.2.3.4"])("%j is no range", (range) => {
  expect(() => fitsRange(range, "1.0.0")).toThrow(/no range of versions/);
});
