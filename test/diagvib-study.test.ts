/** The study of DiagViB-6 from end to end, and what its runs measure against the predictions that they leave. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();

interface StudyJson {
  runs: { done: number; total: number };
  findings: { verdict: string }[];
  sections: { tables?: { name: string; rows: { cells: unknown[] }[] }[] }[];
  measured: { cases?: Case[] }[];
}

interface Case {
  method: string;
  about: { study: string; predict: string; cue?: string; other?: string };
  runs: { id: string; unbiased: number; groups: Group[] }[];
}

interface Group {
  class: string;
  values: { broken?: string };
  count: number;
  accuracy: number;
}

test("it runs, measures the mean of classes, and knows the coupled class of CHGO", {
  timeout: 600_000,
}, async () => {
  const out = join(root, "smoke");
  const words = ["study", "run", "diagvib", "--preset", "smoke", "--out", out, "--quiet"];
  const study = await cuelabJson<StudyJson>(words);
  expect(study.runs.done).toBe(study.runs.total);
  expect(study.findings.every(({ verdict }) => verdict === "cannot be told")).toBe(true);
  const cases = study.measured.flatMap(({ cases: own = [] }) => own);
  for (const { about, runs } of cases) {
    const [{ id, unbiased, groups }] = runs as [Case["runs"][0]];
    expect(groups).toHaveLength(about.other === undefined ? 3 : 9);
    const results = JSON.parse(readFileSync(join(out, "runs", id, "results.json"), "utf8")) as {
      accuracy: { slice: string; count: number; accuracy: number; classMean?: number }[];
    };
    const whole = results.accuracy.find(({ slice }) => slice === "test")!;
    if (about.other !== undefined) {
      for (const broken of ["hue", "position", "hue and position"]) {
        const own = groups.filter(({ values }) => values.broken === broken);
        const right = own.reduce((sum, { count, accuracy }) => sum + count * accuracy, 0);
        const slice = results.accuracy.find((each) => each.slice === `test, broken ${broken}`)!;
        expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(slice.count);
        expect(right / slice.count).toBeCloseTo(slice.accuracy, 12);
      }
      continue;
    }
    // Two roads to one number: the run's own, and the predictions read again.
    if (about.study === "ZSO") expect(whole).not.toHaveProperty("classMean");
    else expect(unbiased).toBeCloseTo(whole.classMean!, 12);
    // 120 test images over two violating cells of the coupled class and one of each other.
    if (about.study === "CHGO") expect(groups.map(({ count }) => count)).toEqual([60, 30, 30]);
  }
  const tables = study.sections.flatMap(({ tables: own = [] }) => own.map(({ name }) => name));
  expect(tables).toEqual(
    expect.arrayContaining([
      "table-a2",
      "table-a3",
      "table-2",
      "sums",
      "two-cues",
      "lines",
      "one-picture",
      "methods-cgo-1",
      "rest-networks",
    ]),
  );
  const report = readFileSync(join(out, "report.md"), "utf8");
  expect(report).toContain("100 ± 0");
  const refused = await cuelab(["study", "run", "diagvib", "--preset", "smoke", "--set", "weight=x"]);
  expect(refused.code).toBe(2);
});
