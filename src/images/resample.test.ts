import { expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import { type Filter, tapsOf } from "./resample.ts";

/** Rows that Pillow resized, by test/references/pil_resample.py. */
const cases = storedReference<{ filter: Filter; input: number[]; output: number[] }[]>("pil_resample");

test.each(cases)("$filter agrees with Pillow", ({ filter, input, output }) => {
  const { start, width, weights } = tapsOf(filter, input.length, output.length);
  for (const [i, expected] of output.entries()) {
    let value = 0;
    for (let k = 0; k < width; k++) value += weights[i * width + k]! * input[start[i]! + k]!;
    // Pillow computes in float32 and the file keeps four digits.
    expect(value).toBeCloseTo(expected, 2);
  }
});

test("weights add up to one, so an even surface stays as it is", () => {
  for (const to of [9, 27, 40, 58, 116]) {
    const { width, weights } = tapsOf("triangle", 40, to);
    for (let i = 0; i < to; i++) {
      let total = 0;
      for (let k = 0; k < width; k++) total += weights[i * width + k]!;
      expect(total).toBeCloseTo(1, 12);
    }
  }
});
