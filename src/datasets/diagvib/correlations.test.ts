import { expect, test } from "vitest";
import { readCorrelations } from "./correlations.ts";

test.each([
  [["hue"], [["shape", "hue"]]],
  [
    ["hue", "texture"],
    [
      ["shape", "hue"],
      ["shape", "texture"],
    ],
  ],
  [["hue+texture"], [["shape", "hue+texture"]]],
  // A factor's own correlation first, however they are written.
  [
    ["hue~scale", "hue"],
    [
      ["shape", "hue"],
      ["hue", "scale"],
    ],
  ],
])("%j", (texts, expected) => {
  expect(readCorrelations(texts, ["shape"]).map(({ of, name }) => [of, name])).toEqual(expected);
});

test.each([
  [["colour"], /unknown factor "colour"/],
  [["hu"], /did you mean "hue"/],
  [["shape"], /other than shape itself/],
  [["hue", "texture~hue"], /hue to be named once/],
  [["hue", "hue~texture", "texture~shape"], /no circle/],
  [["a~b~c"], /at most one ~/],
  [["hue+hue"], /hue to be named once/],
  [["hue", "scale~texture"], /factors that go with shape/],
  [["hue", ""], /a factor is missing/],
])("%j is refused", (texts, message) => {
  expect(() => readCorrelations(texts, ["shape"])).toThrow(message);
});
