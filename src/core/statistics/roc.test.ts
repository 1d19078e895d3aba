/** Areas against scikit-learn, their errors against DeLong's double sum: test/references/sklearn_roc.py made the numbers. */

import { describe, expect, test } from "vitest";
import { hashUniform } from "../../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { normalQuantile, rocArea } from "./index.ts";

interface Case {
  count: number;
  share: number;
  lift: number;
  steps: number;
  area: number;
  error: number;
}

const cases = storedReference<Case[]>("sklearn_roc");

describe("area under the ROC curve", () => {
  test.each(cases)(
    "$count scores, lift $lift, $steps steps",
    ({ count, share, lift, steps, area, error }) => {
      const sought = Array.from(hashUniform(count, 1), (value) => value < share);
      const scores = hashUniform(count, 2).map((value, i) => {
        const lifted = value + (sought[i] ? lift : 0);
        return steps === 0 ? lifted : Math.floor(lifted * steps);
      });
      const found = rocArea(scores, sought)!;
      expect(found.area).toBeCloseTo(area, 12);
      // The logit's error is the area's times the slope of the logit there.
      const half = (normalQuantile(0.975) * error) / (area * (1 - area));
      const logit = (value: number) => Math.log(value / (1 - value));
      expect(logit(found.high) - logit(area)).toBeCloseTo(half, 9);
      expect(logit(area) - logit(found.low)).toBeCloseTo(half, 9);
    },
  );

  test("by hand: 5 of 6 pairs in order, one of them tied", () => {
    expect(rocArea([3, 1, 2, 0, 1], [true, true, false, false, false])!.area).toBeCloseTo(4.5 / 6, 12);
  });

  test("a score that errs nowhere, or says nothing, still has an interval; one of a kind has no area", () => {
    const perfect = rocArea([4, 3, 2, 1], [true, true, false, false])!;
    expect(perfect.area).toBe(1);
    expect(perfect.low).toBeLessThan(1);
    const constant = rocArea([1, 1, 1, 1], [true, true, false, false])!;
    expect([constant.area, constant.low <= 0.5, constant.high >= 0.5]).toEqual([0.5, true, true]);
    expect(rocArea([1, 2, 3], [true, false, false])).toBeNull();
    expect(() => rocArea([Number.NaN, 2], [true, false])).toThrow(/not finite/);
  });
});
