import { expect, test } from "vitest";
import { percentCell } from "../reports/table-formats.ts";
import type { MeasuredRun } from "./study.ts";
import { accuracyEstimate, accuracyPoint, basisOf, cellOf, compare, differenceOf } from "./summaries.ts";

function run(seed: number, unbiased: number): MeasuredRun {
  return {
    id: `${seed}`,
    seed,
    count: 10_000,
    unbiased,
    samples: unbiased,
    cues: {},
    groups: [],
    scores: [],
  };
}

test("three seeds have Student's interval, in estimates, points and cells alike", () => {
  // 0.4, 0.5, 0.6: s = 0.1, t = 4.302653, half = 0.1 · 4.302653 / √3 = 0.248414.
  const runs = [run(0, 0.4), run(1, 0.5), run(2, 0.6)];
  expect(accuracyEstimate(runs)).toEqual({
    value: 0.5,
    margin: expect.closeTo(0.248414, 5),
    over: "seeds",
    seeds: 3,
  });
  expect(accuracyPoint(runs)).toEqual({
    y: 0.5,
    low: expect.closeTo(0.251586, 5),
    high: expect.closeTo(0.748414, 5),
  });
  const cell = cellOf([0.4, 0.5, null, 0.6, undefined]);
  expect(cell).toEqual({ mean: 0.5, deviation: expect.closeTo(0.1, 12), runs: 3 });
  expect(percentCell(cell as { mean: number; deviation: number; runs: number })).toBe("50.0 ± 24.8 (3)");
  expect(cellOf([null])).toBeNull();
});

test("one seed has no interval over seeds; its images have one, which is called that", () => {
  // Two standard errors of half of 10,000 images are one point.
  expect(accuracyEstimate([run(0, 0.5)])).toEqual({
    value: 0.5,
    margin: expect.closeTo(0.01, 12),
    over: "images",
    seeds: 1,
  });
  expect(accuracyPoint([run(0, 0.5)])).toEqual({ y: 0.5 });
  expect(percentCell({ mean: 0.5, deviation: null, runs: 1 })).toBe("50.0 (1)");
  // As a paper prints it: whatever its ± is.
  expect(percentCell({ mean: 0.5, deviation: 0.02, runs: 0 })).toBe("50.0 ± 2.0");
});

test("methods are compared seed by seed: what a draw adds to both falls out", () => {
  const one = [run(0, 0.3), run(1, 0.5), run(2, 0.7)];
  const other = [run(2, 0.65), run(1, 0.46), run(0, 0.25)];
  // Differences 0.05, 0.04, 0.05, though accuracies spread over forty points.
  const difference = differenceOf(one, other);
  expect(difference).toMatchObject({ over: "seeds", seeds: 3, value: expect.closeTo(0.14 / 3, 12) });
  expect([compare(one, other), compare(other, one)]).toEqual(["more", "less"]);
  expect(compare(one, [run(0, 0.5), run(1, 0.3), run(2, 0.6)])).toBe("equal");
  expect(basisOf([difference])).toBe("judged by Student's t over 3 seeds (degrees of freedom: one less)");
});

test("without two seeds in common the images decide, and the evidence says so", () => {
  const difference = differenceOf([run(0, 0.5)], [run(0, 0.45)]);
  // 2·√(0.25/10⁴ + 0.2475/10⁴) = 0.014107.
  expect(difference).toMatchObject({ over: "images", seeds: 1, margin: expect.closeTo(0.014107, 5) });
  expect(basisOf([difference])).toBe("judged over images alone, which tells nothing of other seeds");
  expect(differenceOf([run(0, 0.5), run(1, 0.5)], [run(2, 0.4), run(3, 0.4)])).toMatchObject({
    over: "images",
    seeds: 0,
  });
});
