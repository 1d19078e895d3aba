/** Where a run had cost what the baseline's costs, and what it had reached there, against numbers done by hand. */

import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { equalSecondsSection } from "./equal-seconds.ts";
import type { MeasuredCase, MeasuredRun } from "./jobs/runs-job.ts";

function caseOf(method: string, runs: Partial<MeasuredRun>[]): MeasuredCase {
  return {
    method,
    explicit: [],
    groupings: [],
    chosen: {},
    failures: [],
    runs: runs.map((run, seed) => measuredRun({ seed, ...run })),
  };
}

/** Accuracy after each of eight epochs, all a tenth higher with the second seed; the cue is followed as often as it is wrong. */
const rising = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
const course = (seconds: number | null, more = 0) => ({
  coreSeconds: seconds,
  validation: rising.map((value) => value + more),
  follows: rising.map((value, i) => ({ epoch: i + 1, shares: { hue: 1 - value - more } })),
});

function rowsOf(cases: readonly MeasuredCase[]) {
  const [section] = equalSecondsSection(cases, { baseline: "ERM", cues: ["hue", "unknown"] });
  return section?.tables?.[0]?.rows.map(({ cells }) => cells);
}

const standard = caseOf("ERM", [course(40), course(60, 0.1)]);

test("twice the cost is half of the epochs, and differences are within a seed", () => {
  const twice = caseOf("LfF", [course(100), course(100, 0.1)]);
  const [erm, lff] = rowsOf([standard, twice])!;
  expect(erm!.slice(0, 3)).toEqual(["ERM", { value: 1, text: "1.00" }, "8 of 8"]);
  expect(erm![3]).toMatchObject({ mean: expect.closeTo(0.85, 12), runs: 2 });
  expect(erm![4]).toBeNull();
  expect(lff!.slice(0, 3)).toEqual(["LfF", { value: 2, text: "2.00" }, "4 of 8"]);
  // 0.4 and 0.5 after four epochs, 0.8 and 0.9 after all eight.
  expect(lff![3]).toMatchObject({ mean: expect.closeTo(0.45, 12) });
  expect(lff![4]).toEqual({ value: expect.closeTo(-0.4, 12), text: "−40.0 (−40.0 to −40.0)" });
  expect(lff![5]).toMatchObject({ mean: expect.closeTo(0.85, 12) });
  expect(lff!.slice(6)).toEqual([
    expect.objectContaining({ mean: expect.closeTo(0.55, 12) }),
    { value: expect.closeTo(0.4, 12), text: "+40.0 (40.0 to 40.0)" },
    expect.objectContaining({ mean: expect.closeTo(0.15, 12) }),
  ]);
});

test("epochs of earlier stages are paid first; what is cheaper than the baseline is whole", () => {
  const after = (epochsBefore: number, seconds: number) =>
    caseOf("JTT", [
      { ...course(seconds), epochsBefore },
      { ...course(seconds, 0.1), epochsBefore },
    ]);
  // Sixteen epochs in all for twice the cost: eight of them, all but two in the stage before.
  expect(rowsOf([standard, after(8, 100)])![1]![2]).toBe("0 of 8");
  expect(rowsOf([standard, after(8, 100)])![1]!.slice(3, 5)).toEqual([null, null]);
  expect(rowsOf([standard, after(6, 100)])![1]![2]).toBe("1 of 8");
  expect(rowsOf([standard, after(0, 10)])![1]![2]).toBe("8 of 8");
});

test("where costs were not recorded there is no such table, or an empty row", () => {
  expect(rowsOf([caseOf("ERM", [course(null)]), standard])).toBeUndefined();
  expect(rowsOf([standard])).toBeUndefined();
  const unknown = caseOf("SD", [course(null), course(50)]);
  expect(rowsOf([standard, unknown])![1]!.slice(1, 5)).toEqual([null, null, null, null]);
});
