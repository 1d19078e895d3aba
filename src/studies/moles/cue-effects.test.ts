/** What a cue is worth, by hand. */

import { expect, test } from "vitest";
import { measuredRun } from "../../../test/helpers/measured-run.ts";
import type { MeasuredCase, MeasuredGaps } from "../jobs/runs-job.ts";
import { cueEffect, cueEffectsSection } from "./cue-effects.ts";
import { oracleRule } from "./standings.ts";

/** Accuracy with both common, without the background, without the object, without either. */
function gapsOf(both: number, background: number, object: number, neither: number): MeasuredGaps {
  const cell = (uncommon: string[], accuracy: number) => ({ uncommon, accuracy, gap: null });
  return {
    inDistribution: both,
    cells: [
      cell(["background", "object"], neither),
      cell([], both),
      cell(["object"], object),
      cell(["background"], background),
    ],
  };
}

const standard = gapsOf(0.99, 0.81, 0.85, 0.35);
/** Cured of the object: the background is worth 24 points wherever the object is, where it was worth 18 and 50. */
const cured = gapsOf(0.98, 0.74, 0.98, 0.74);

test("accuracy with the cue less accuracy without it, where the other covers for it, where not, and on the average", () => {
  const near = (value: number) => expect.closeTo(value, 12);
  expect(cueEffect(standard, "background")).toEqual({
    covered: near(0.18),
    bare: near(0.5),
    mean: near(0.34),
  });
  expect(cueEffect(standard, "object")).toEqual({ covered: near(0.14), bare: near(0.46), mean: near(0.3) });
  expect(cueEffect({ ...standard, cells: standard.cells.slice(1) }, "object")).toBeNull();
});

test("a gap that grows by six points may be a cue that is worth ten less", () => {
  const cues = ["background", "object"];
  const caseOf = (method: string, gaps: MeasuredGaps): MeasuredCase => ({
    method,
    explicit: [],
    groupings: [],
    rules: [oracleRule(cues)],
    chosen: {},
    failures: [],
    runs: [0, 1].map((seed) => measuredRun({ seed, gaps })),
  });
  const cases = [caseOf("ERM", standard), caseOf("gDRO", cured)];
  const [section] = cueEffectsSection("effects", cases, { baseline: "ERM", cues });
  const [erm, gdro] = section!.tables![0]!.rows.map(({ cells }) => cells);
  expect(erm![4]).toBeNull();
  expect(gdro!.slice(0, 2)).toEqual(["gDRO", expect.objectContaining({ mean: expect.closeTo(0.24, 12) })]);
  expect(gdro![4]).toEqual({ value: expect.closeTo(-0.1, 12), text: "−10.0 (−10.0 to −10.0)" });
  const beside = cueEffectsSection("effects", cases, { baseline: "ERM", cues, published: () => standard });
  expect(beside[0]!.tables![0]!.rows[3]).toEqual({
    source: "published",
    cells: [
      "gDRO, published",
      ...[0.18, 0.5, 0.34].map((mean) => ({ mean, deviation: null, runs: 0 })),
      { value: 0, text: "0.0" },
      ...[0.14, 0.46, 0.3].map((mean) => ({ mean, deviation: null, runs: 0 })),
      { value: 0, text: "0.0" },
    ],
  });
  expect(beside[0]!.tables![0]!.rows[1]!.cells[4]).toBeNull();
  expect(cueEffectsSection("effects", cases.slice(1), { baseline: "ERM", cues })).toEqual([]);
});
