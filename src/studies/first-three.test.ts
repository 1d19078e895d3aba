import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { firstThree } from "./first-three.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";

/** Three seeds that differ by half a point, each method alike. */
function method(unbiased: number, seeds = 3): MeasuredCase[] {
  const runs = Array.from({ length: seeds }, (_, seed) =>
    measuredRun({ seed, unbiased: unbiased + seed / 200 + 1e-5 * ((seed * 7919 + 1000 * unbiased) % 3) }),
  );
  return [{ method: String(unbiased), explicit: [], groupings: [], chosen: {}, failures: [], runs }];
}

test("who is surely among the best three, surely not, and of whom nothing can be told", () => {
  const apart = [0.9, 0.8, 0.7, 0.6, 0.5].map((value) => method(value));
  expect(firstThree(apart, { margin: 3 })).toEqual(["among", "among", "among", "not among", "not among"]);
  // The third and the fourth are level: neither is surely among them, and no three are surely better than the fourth.
  const level = [0.9, 0.8, 0.601, 0.6, 0.5].map((value) => method(value));
  expect(firstThree(level, { margin: 3 })).toEqual(["among", "among", "open", "open", "not among"]);
  expect(
    firstThree(
      [0.9, 0.8, 0.7, 0.6].map((value) => method(value, 1)),
      { margin: 3 },
    ),
  ).toEqual(["open", "open", "open", "open"]);
});
