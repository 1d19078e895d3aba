import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { seedsCell } from "../core/section.ts";
import { shownText } from "../reports/formatted-table.ts";
import type { MeasuredRun } from "./jobs/runs-job.ts";
import { accuracyPoint, differencesOf, estimateOf } from "./summaries.ts";

function run(seed: number, unbiased: number): MeasuredRun {
  return measuredRun({ id: `${seed}`, seed, unbiased });
}

test("three seeds have Student's interval, in estimates, points and cells alike", () => {
  // 0.4, 0.5, 0.6: s = 0.1, t = 4.302653, half = 0.1 · 4.302653 / √3 = 0.248414.
  const runs = [run(0, 0.4), run(1, 0.5), run(2, 0.6)];
  expect(estimateOf([0.4, 0.5, 0.6], 0)).toEqual({
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
  const cell = seedsCell([0.4, 0.5, null, 0.6, undefined]);
  expect(cell).toEqual({ mean: 0.5, deviation: expect.closeTo(0.1, 12), runs: 3 });
  expect(shownText(cell)).toBe("50.0 ± 24.8 (3)");
  expect(seedsCell([null])).toBeNull();
});

test("one seed has no interval over seeds; what is published is as it was printed", () => {
  expect(estimateOf([0.5], 0.01)).toEqual({ value: 0.5, margin: 0.01, over: "images", seeds: 1 });
  expect(accuracyPoint([run(0, 0.5)])).toEqual({ y: 0.5 });
  expect(shownText({ mean: 0.5, deviation: null, runs: 1 })).toBe("50.0 (1)");
  expect(shownText({ mean: 0.5, deviation: 0.02, runs: 0 })).toBe("50.0 ± 2.0");
});

test("methods are compared seed by seed: what a draw adds to both falls out", () => {
  const one = [run(0, 0.3), run(1, 0.5), run(2, 0.7)];
  const other = [run(2, 0.65), run(1, 0.46), run(0, 0.25)];
  // Differences 0.05, 0.04, 0.05, though accuracies spread over forty points.
  const differences = differencesOf([{ runs: one }], [{ runs: other }]);
  expect(differences.map((value) => Number(value.toFixed(12)))).toEqual([0.05, 0.04, 0.05]);
  expect(differencesOf([{ runs: one }], [{ runs: [run(7, 0.4)] }])).toEqual([]);
  // Of several cases the mean of each seed; a seed that one of them lacks is in none.
  const told = differencesOf([{ runs: one }, { runs: other.slice(0, 2) }], [{ runs: other }]);
  expect(told.map((value) => Number(value.toFixed(12)))).toEqual([0.02, 0.025]);
});
