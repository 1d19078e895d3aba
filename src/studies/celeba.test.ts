import { expect, test } from "vitest";
import { drawnPoints } from "../../test/helpers/drawn-points.ts";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { celebaJobs, presets } from "./celeba/plan.ts";
import { celebaStudy } from "./celeba.ts";
import type { MeasuredCase, MeasuredRun } from "./jobs/runs-job.ts";

/** Accuracy of men and others, not blond and blond. */
function run([maleOther, maleBlond, other, blond]: readonly [
  number,
  number | null,
  number,
  number,
]): MeasuredRun {
  const group = (label: string, male: string, accuracy: number | null) => ({
    class: label,
    values: { Male: male },
    count: accuracy === null ? 0 : 500,
    accuracy,
  });
  const groups = [
    group("not blond hair", "yes", maleOther),
    group("blond hair", "yes", maleBlond),
    group("not blond hair", "no", other),
    group("blond hair", "no", blond),
  ];
  const known = groups.flatMap(({ accuracy }) => accuracy ?? []);
  const unbiased = known.reduce((sum, value) => sum + value, 0) / known.length;
  return measuredRun({ count: 2000, unbiased, groups });
}

function reportOf(cases: Readonly<Record<string, MeasuredRun>>) {
  const [job] = celebaJobs(presets.quick, "faces");
  const measured: MeasuredCase[] = Object.entries(cases).map(([method, each]) => ({
    method,
    explicit: [],
    groupings: [["Male"]],
    chosen: {},
    failures: [],
    // Three seeds that gave the same.
    runs: [0, 1, 2].map((seed) => ({ ...each, seed })),
  }));
  const registered = celebaStudy.registered("quick");
  return celebaStudy.report([{ kind: "runs", job: job!, cases: measured }], { preset: "quick", registered });
}

/** Table A3 of Shrestha et al. 2022. */
const standard = run([0.993, 0.428, 0.959, 0.833]);
const dro = run([0.912, 0.8, 0.909, 0.921]);

test("the table has the published numbers in the order of its groups, and Fig. 4 the paper's improvements", () => {
  const { sections, findings } = reportOf({ StdM: standard, GDRO: dro });
  const [ours, published] = sections[0]!.tables![0]!.rows;
  const means = (cells: typeof ours) => cells!.cells.slice(2).map((cell) => (cell as { mean: number }).mean);
  // Our made-up runs have the published accuracies, so both rows must agree, but for the rounding of the last column.
  for (const [i, value] of means(ours).entries()) expect(value).toBeCloseTo(means(published)[i]!, 3);
  const blondMen = drawnPoints(sections, "fig-4").filter(
    ({ row, series }) => row === "Male, blond" && series === "GDRO",
  );
  // The improvement of blond men that the facts of the paper give: 80.0 − 42.8.
  expect(blondMen.map(({ value }) => value)).toEqual([expect.closeTo(0.372, 9), expect.closeTo(0.372, 9)]);
  expect(findings.map(({ verdict }) => verdict)).toEqual(["seen", "seen"]);
});

test("findings follow the numbers, and an empty group is told as such", () => {
  expect(reportOf({ StdM: standard, GDRO: standard }).findings.map(({ verdict }) => verdict)).toEqual([
    "equivalent to none",
    "equivalent to none",
  ]);
  const empty = reportOf({ StdM: run([0.99, null, 0.96, 0.83]), GDRO: dro });
  expect(empty.findings[1]).toMatchObject({
    verdict: "cannot be told",
    evidence: "some group has no test image",
  });
  expect(empty.sections[0]!.tables![0]!.rows[0]!.cells[3]).toBeNull();
  const guessing = run([0.51, 0.49, 0.5, 0.5]);
  expect(reportOf({ StdM: guessing, GDRO: guessing }).findings[0]).toMatchObject({
    verdict: "cannot be told",
    evidence: "every method is near chance",
  });
});

test("the paper's preset is ResNet-18 on whole images with Table A6's settings", () => {
  const parts = celebaJobs(presets.paper, "faces");
  expect(parts.map(({ entries, seeds }) => entries.length * seeds.length)).toEqual([8, 72]);
  expect(parts[0]!.entries[2]).toEqual({
    case: { method: "GDRO", explicit: ["Male"], groupings: [["Male"]] },
    run: {
      data: { name: "celeba", settings: { size: 224, folder: "faces", target: "Blond_Hair", cue: ["Male"] } },
      model: { name: "resnet18", options: {} },
      method: { name: "group-dro", preset: "celeba", explicit: ["Male"] },
      optimiser: {},
      pixels: { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] },
      epochs: 50,
      batchSize: 128,
    },
  });
});
