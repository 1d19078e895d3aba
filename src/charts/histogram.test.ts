/** Values on the borders of bins. */

import { expect, test } from "vitest";
import { binned } from "./histogram.ts";

test("a value on a border belongs to the upper bin, the last value to the last", () => {
  const options = { description: "", x: "", y: "", domain: [0.5, 1], step: 0.1 } as const;
  const bins = binned({ ...options, values: [0.5, 0.59, 0.6, 0.7, 0.8, 1] });
  // 0.7 − 0.5 is a rounding below 0.2, and is at its border all the same.
  expect(bins.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1]);
  expect(bins[4]!.from).toBeCloseTo(0.9, 12);
});
