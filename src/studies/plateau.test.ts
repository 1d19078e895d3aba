import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";
import { judged } from "./judge.ts";
import { isTrained, lateRise, riseCell, riseOf, trainedCell, trainedDifference } from "./plateau.ts";

function trained(method: string, ...courses: number[][]): MeasuredCase {
  const runs = courses.map((validation, seed) =>
    measuredRun({ seed, unbiased: 0.5 + seed / 100, validation }),
  );
  return { method, explicit: [], groupings: [], chosen: {}, failures: [], runs };
}

const flat = [0.2, 0.5, 0.6, 0.6, 0.6];

test("the rise is the mean of the last fifth of the epochs less that of the fifth before", () => {
  // Ten epochs: (0.7 + 0.72) / 2 − (0.6 + 0.66) / 2 = 0.08.
  expect(lateRise({ validation: [0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.66, 0.7, 0.72] })).toBeCloseTo(
    0.08,
    12,
  );
  // Of eleven a fifth is two.
  expect(lateRise({ validation: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.66, 0.7, 0.72] })).toBeCloseTo(
    0.08,
    12,
  );
  expect(lateRise({ validation: [0.1, 0.2, 0.3, 0.4] })).toBeUndefined();
});

test("what rises by a point or more over seeds is untrained; what falls or is too short to tell, as the rule says", () => {
  expect(isTrained(trained("a", flat))).toBe(true);
  // 0 and 3 points: 1.5 on the average.
  const rising = trained("a", flat, [0.2, 0.5, 0.6, 0.6, 0.63]);
  expect(riseOf(rising)).toBeCloseTo(0.015, 12);
  expect(isTrained(rising)).toBe(false);
  expect(isTrained(trained("a", [0.2, 0.5, 0.6, 0.6, 0.55]))).toBe(true);
  expect(isTrained(trained("a", [0.5, 0.5]))).toBe(false);
  expect(isTrained(trained("a"))).toBe(false);
  expect(riseCell([rising])).toMatchObject({ text: "+1.5" });
  expect(riseCell([trained("a", [0.5])])).toBe("fewer than five epochs");
});

test("an untrained method is in no comparison, says so, and is never marked as best", () => {
  const [settled, rising] = [trained("GDRO", flat, flat), trained("RUBi", [0.1, 0.1, 0.2, 0.3, 0.4], flat)];
  expect(trainedDifference([settled], [settled]).values).toEqual([0, 0]);
  const difference = trainedDifference([rising], [settled]);
  expect(difference).toEqual({ values: [], open: "RUBi is untrained" });
  expect(
    judged("RUBi is better", [{ name: "RUBi less GDRO", ...difference, expected: "above" }], {
      margin: 3,
      evidence: [],
    }),
  ).toMatchObject({ verdict: "cannot be told", evidence: "RUBi less GDRO: RUBi is untrained" });
  expect(trainedCell(rising)).toMatchObject({ runs: 2, remark: "untrained" });
  expect(trainedCell(settled)).not.toHaveProperty("remark");
});

test("that two are level is seen where they are equivalent, and contradicted where they differ", () => {
  const level = (values: number[]) =>
    judged("level", [{ name: "a less b", values, expected: "above", holds: ["equivalent"] }], {
      margin: 3,
      evidence: [],
    }).verdict;
  expect(level([0.001, -0.001, 0])).toBe("seen");
  expect(level([0.1, 0.101, 0.099])).toBe("contradicted");
  expect(level([-0.1, -0.101, -0.099])).toBe("contradicted");
  expect(level([0.1, -0.1, 0.02])).toBe("cannot be told");
});
