/** Training sets, ages and methods as the paper has them, and findings that come out both ways on made-up accuracies. */

import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { tablesOf } from "../core/section.ts";
import { type PlacedCells, placedCells, table6, table7, table11 } from "../published/corner-cases.ts";
import { categoryOf, cellOf } from "./hard-spurious/categories.ts";
import { claims } from "./hard-spurious/findings.ts";
import { baseline, rowNames, trainedJobs } from "./hard-spurious/plan.ts";
import { presets } from "./hard-spurious/presets.ts";
import { hardSpuriousStudy as study } from "./hard-spurious.ts";
import type { MeasuredCase, RunsJob } from "./jobs/runs-job.ts";

/** Accuracies of easy, medium and hard groups. */
type Means = readonly [number, number, number];

const isOriginal = (cell: string) => cell.endsWith("O");
const meansAt =
  ([easy, medium, hard]: Means) =>
  (cell: string, rank: number) =>
    isOriginal(cell) ? (rank === 0 ? medium : easy) : rank === 2 ? medium : hard;

function groupsOf(accuracy: (cell: (typeof placedCells)[number], rank: number) => number) {
  return placedCells.flatMap((cell) =>
    [12, 18, 24].map((size, rank) => ({
      class: null,
      values: { group: `${cell}-${size}` },
      count: 300,
      accuracy: accuracy(cell, rank),
    })),
  );
}

test("a category is the mean of its four groups: Table 6 by hand", () => {
  const run = { by: groupsOf((cell, rank) => (table6 as PlacedCells)[cell][rank]! / 100) };
  expect(categoryOf(run, "easy")).toBeCloseTo((73.35 + 77.19 + 72.6 + 77.13) / 400, 10);
  expect(categoryOf(run, "medium")).toBeCloseTo((62.25 + 60.8 + 75.34 + 75.48) / 400, 10);
  expect(categoryOf(run, "hard")).toBeCloseTo((54.56 + 54.45 + 69.76 + 69.96) / 400, 10);
  // Figure 7 (right) by the coverage of the paper: 68.57.
  expect(categoryOf(run, "all")).toBeCloseTo(0.6857, 3);
  expect(cellOf(run, "CeR", 1)).toBeCloseTo(0.6976, 10);
  expect(categoryOf({ by: run.by.slice(1) }, "easy")).toBeNull();
});

const erm: Means = [0.92, 0.8, 0.67];

/** Five seeds, give or take half a point; `young` is what a standard model and its new last layer have after few epochs. */
function reportOf(changes: Readonly<Record<string, Means>>, young: Readonly<Record<string, Means>> = {}) {
  const jobs = trainedJobs(presets.quick, {}) as RunsJob[];
  const measured = jobs.map((job) => ({
    kind: "runs" as const,
    job,
    cases: job.entries.map((entry): MeasuredCase => {
      const { method, at } = entry.case;
      const change = (at === undefined ? changes : young)[method] ?? [0, 0, 0];
      const runs = job.seeds.map((seed) => {
        const noise = 0.004 * (((seed * 7 + method.length) % 3) - 1);
        const means = erm.map((value, i) => value + change[i]! + noise) as unknown as Means;
        const by = groupsOf(meansAt(means));
        const unbiased = by.reduce((sum, { accuracy }) => sum + accuracy, 0) / by.length;
        return measuredRun({ seed, by, unbiased, validation: Array.from({ length: 15 }, () => unbiased) });
      });
      return { ...entry.case, runs, failures: [], chosen: {} };
    }),
  }));
  return study.report(measured, { preset: "quick", registered: study.registered("quick") });
}

const names = Object.keys(claims) as (keyof typeof claims)[];
const verdictsOf = ({ findings }: ReturnType<typeof reportOf>) =>
  Object.fromEntries(names.map((name, i) => [name, findings[i]!.verdict]));

test("what the paper found is seen where it is there, and contradicted where it is not", () => {
  const [jtt] = presets.quick.first;
  const asPublished = reportOf(
    {
      [rowNames.easy]: [0.005, -0.05, -0.12],
      [rowNames.all]: [0, 0.05, 0.1],
      [`JTT (E=${jtt})`]: [-0.14, -0.13, -0.11],
      [rowNames.dfr]: [-0.04, 0, 0.04],
    },
    { [baseline]: [-0.1, -0.1, -0.1], [rowNames.dfr]: [0.02, 0.03, 0.06] },
  );
  expect(verdictsOf(asPublished)).toEqual(Object.fromEntries(names.map((name) => [name, "seen"])));
  const otherwise = verdictsOf(
    reportOf(
      {
        [rowNames.easy]: [0.1, 0.1, 0.1],
        [rowNames.all]: [-0.1, -0.1, -0.1],
        [`JTT (E=${jtt})`]: [0.1, 0.1, 0.1],
        [rowNames.dfr]: [0.06, 0.06, -0.06],
      },
      { [baseline]: [0.1, 0.1, 0.1], [rowNames.dfr]: [-0.1, -0.1, -0.1] },
    ),
  );
  const against = ["hard", "easy", "refitHard", "refitEasy", "jtt", "young", "grown"] as const;
  for (const name of against) expect(otherwise[name], name).toBe("contradicted");
  expect(verdictsOf(reportOf({}))).toMatchObject({
    order: "seen",
    hard: "equivalent to none",
    easy: "seen",
    refitAll: "seen",
    young: "equivalent to none",
  });
});

test("a standard model at chance tells nothing", () => {
  const low = erm.map((value) => 1 / 6 - value) as unknown as Means;
  expect(new Set(reportOf({ [baseline]: low }).findings.map(({ verdict }) => verdict))).toEqual(
    new Set(["cannot be told"]),
  );
});

test("published rows stand beside ours, JTT's under the paper's one name, and Table 6 as categories", () => {
  const [means, cells] = tablesOf(reportOf({}).sections);
  const rows = means!.rows.map(({ cells: [method, source, easy] }) => [method, source, easy]);
  expect(rows).toContainEqual([baseline, "Table 7, ResNet-50", expect.objectContaining({ mean: 0.7484 })]);
  expect(rows).toContainEqual([
    rowNames.all,
    "Table 6, ResNet-50",
    expect.objectContaining({ mean: 0.750675 }),
  ]);
  expect(rows.filter(([method]) => method === "JTT")).toEqual([
    ["JTT", "Table 7, ResNet-50", expect.objectContaining({ mean: table7[2]!.easy / 100 })],
  ]);
  expect(rows.some(([method]) => method === "JTT (E=15)")).toBe(true);
  for (const table of [means!, cells!])
    for (const row of table.rows) expect(row.cells).toHaveLength(table.columns.length);
});

test("training sets are the paper's: Table 11, and as many photographs and steps for all", () => {
  const [methods, ages] = trainedJobs(presets.quick, {}) as RunsJob[];
  const settings = (method: string) => {
    const { run } = methods!.entries.find((entry) => entry.case.method === method)!;
    return (run.data as { settings: { count: { train: object }; photographs: object } }).settings;
  };
  const { groups } = table11.train;
  expect(settings(baseline).count.train).toEqual({
    easy: groups.CeO[1],
    medium: groups.CeO[0],
    hard: groups.CeR[0],
  });
  expect(settings(rowNames.easy).count.train).toEqual({ easy: 80, medium: 0, hard: 0 });
  expect(settings(rowNames.all).count.train).toEqual({ easy: 33, medium: 33, hard: 33 });
  for (const { run } of methods!.entries) {
    expect(run.steps).toBe(30 * 75);
    expect((run.data as { settings: { photographs: object } }).settings.photographs).toEqual({
      train: 80,
      side: 64,
    });
  }
  // Six classes, 400 images each, batches of 32.
  expect(Math.floor((6 * (4 * 80 + 8 * 10)) / 32)).toBe(presets.quick.stepsPerEpoch);
  expect(Math.floor((1000 * 400) / 256)).toBe(presets.paper.stepsPerEpoch);
  expect(Math.floor((15 * 400) / 32)).toBe(presets.day.stepsPerEpoch);
  // Younger models are the standard one's beginning: equal but for their length, measured where they end.
  const [whole] = methods!.entries;
  expect(whole!.run.measureSteps).toEqual(
    ages!.entries.filter((_, i) => i % 2 === 0).map(({ run }) => run.steps),
  );
  expect({ ...ages!.entries[0]!.run, steps: 0 }).toEqual({
    ...whole!.run,
    steps: 0,
    measureSteps: undefined,
  });
});

test("the paper's preset is its recipe on photographs that are brought, begun with weights where they are given", () => {
  const given = {
    trainImages: "train",
    trainBoxes: "train-boxes",
    testImages: "val",
    testBoxes: "val-boxes",
    weights: "resnet50.safetensors",
    pretrained: "resnet50.onnx",
  };
  const [methods, ages, before] = trainedJobs(presets.paper, given);
  const { entries, seeds } = methods as RunsJob;
  // ERM, DFR, two other training sets and two JTT; three ages with and without a new last layer.
  expect((entries.length + (ages as RunsJob).entries.length) * seeds.length).toBe(36);
  expect(entries[0]!.run).toMatchObject({
    data: {
      settings: { source: "photos", size: 224 },
      places: { trainImages: "train", testBoxes: "val-boxes" },
    },
    weights: { path: "resnet50.safetensors", freshHead: true },
    method: { name: "erm", preset: "hard-spurious" },
    batchSize: 256,
    steps: 20 * 1562,
  });
  expect(entries[0]!.run).not.toHaveProperty("optimiser");
  expect(before).toMatchObject({ kind: "predictions", of: { models: ["resnet50.onnx"] }, by: ["group"] });
  expect(trainedJobs(presets.paper, { ...given, pretrained: undefined })).toHaveLength(2);
});
