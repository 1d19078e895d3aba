/** Findings and tables follow the numbers, whichever way they come out: accuracies of groups that a test makes up. */

import { expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { tablesOf } from "../core/section.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";
import { presets, rows, waterbirdsJobs } from "./waterbirds/plan.ts";
import { waterbirdsStudy } from "./waterbirds.ts";

/** Accuracies where the background is common, and where it is not; birds of the land, then of the water. */
type Groups = readonly [number, number, number, number];

const erm: Groups = [0.98, 0.95, 0.81, 0.74];

function measuresOf([landLand, waterWater, landWater, waterLand]: Groups) {
  const group = (label: string, place: string, accuracy: number) => ({
    class: label,
    values: { place },
    count: 1000,
    accuracy,
  });
  const [common, uncommon] = [(landLand + waterWater) / 2, (landWater + waterLand) / 2];
  const inDistribution = 0.95 * common + 0.05 * uncommon;
  return {
    unbiased: (common + uncommon) / 2,
    groups: [
      group("0", "0", landLand),
      group("1", "1", waterWater),
      group("0", "1", landWater),
      group("1", "0", waterLand),
    ],
    gaps: {
      inDistribution,
      cells: [
        { uncommon: [], accuracy: common, gap: null },
        { uncommon: ["place"], accuracy: uncommon, gap: uncommon - inDistribution },
      ],
    },
  };
}

/** Five seeds, give or take half a point; `honest` is what the epoch of the other rule has, if not the same. */
function reportOf(changes: Readonly<Record<string, Groups>>, honest: typeof changes = changes) {
  const [job] = waterbirdsJobs(presets.quick, "birds");
  const cases = job!.entries.map((entry): MeasuredCase => {
    const { method } = entry.case;
    const runs = job!.seeds.map((seed) => {
      const noise = 0.005 * (((seed * 7 + method.length) % 3) - 1);
      const of = (all: typeof changes) =>
        measuresOf(erm.map((accuracy, i) => accuracy + (all[method]?.[i] ?? 0) + noise) as unknown as Groups);
      return measuredRun({ seed, ...of(changes), also: [measuredRun(of(honest))] });
    });
    return { ...entry.case, runs, failures: [], chosen: {} };
  });
  const registered = waterbirdsStudy.registered("quick");
  return waterbirdsStudy.report([{ kind: "runs", job: job!, cases }], { preset: "quick", registered });
}

const asPublished = {
  CutMix: [-0.02, -0.05, -0.2, -0.26],
  Mixup: [0, 0, 0.02, 0.04],
  Cutout: [0, 0.01, 0.02, 0.035],
} as const;

test("what the paper found is seen where it is there, and not where all rows are alike", () => {
  const verdicts = (report: ReturnType<typeof reportOf>) => report.findings.map(({ verdict }) => verdict);
  expect(verdicts(reportOf(asPublished))).toEqual(["seen", "seen"]);
  expect(verdicts(reportOf({}))).toEqual(["equivalent to none", "equivalent to none"]);
  expect(verdicts(reportOf({ CutMix: [0, 0, 0.1, 0.1], Mixup: [0, 0, 0, -0.1] }))).toEqual([
    "contradicted",
    "contradicted",
  ]);
});

test("a finding that holds under the oracle alone says so", () => {
  const [cutmix] = reportOf(asPublished, {}).findings;
  expect(cutmix!.verdict).toBe("seen");
  expect(cutmix!.evidence).toContain("but with epochs chosen by no labels but classes: equivalent to none");
});

test("a group without test images leaves the worst one unknown, and chance tells nothing", () => {
  const low = erm.map((accuracy) => 0.5 - accuracy) as unknown as Groups;
  const chance = Object.fromEntries(rows.map(({ label }) => [label, low]));
  const { findings, sections } = reportOf(chance);
  expect(findings.map(({ verdict }) => verdict)).toEqual(["cannot be told", "cannot be told"]);
  expect(sections[0]!.remarks).toEqual(["the standard model is near chance: there are no verdicts"]);
});

test("Table 20 stands beside our rows, and the background's verdict with them", () => {
  const [table] = tablesOf(reportOf(asPublished).sections);
  const [ours, published] = table!.rows.filter(({ cells }) => cells[0] === "CutMix");
  // By hand: groups .96, .90, .61, .48, of which the mean and the smallest; noise over five seeds adds up to −.001.
  expect(ours!.cells[3]).toMatchObject({ mean: expect.closeTo(0.7375, 2), runs: 5 });
  expect(ours!.cells[4]).toMatchObject({ mean: expect.closeTo(0.48, 2) });
  expect(ours!.cells[7]).toBe("amplified");
  expect(published!.cells.slice(3, 5)).toMatchObject([{ mean: 0.7451 }, { mean: 0.4738 }]);
  for (const { cells } of table!.rows) expect(cells).toHaveLength(table!.columns.length);
});

test("the paper's preset is UrbanCars' recipe with Table 20's settings, its rule of selection first", () => {
  const [job] = waterbirdsJobs(presets.paper, "birds");
  expect(job!.entries.length * job!.seeds.length).toBe(24);
  expect(job!.entries.map(({ run }) => run.augment)).toEqual([
    ["flip"],
    ["flip", { view: "mixup", with: { alpha: 0.05 } }],
    ["flip", { view: "erase", with: { probability: 0.1 } }],
    ["flip", { view: "cutmix", with: { alpha: 1 } }],
  ]);
  expect(job!.entries[0]!.run).toEqual({
    data: { path: "birds", size: 224, columns: { cues: ["place"] } },
    model: { name: "resnet50" },
    method: { name: "erm", preset: "urban-cars" },
    batchSize: 128,
    augment: ["flip"],
    select: { by: "val-worst-group", groups: ["place"] },
    alsoSelect: [{ by: "val-worst-class", groups: [] }],
  });
});
