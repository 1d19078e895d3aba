/** Findings and tables follow the numbers, whichever way they come out: accuracies of cells that a test makes up. */

import { describe, expect, test } from "vitest";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { figuresOf, tablesOf } from "../core/section.ts";
import { runId } from "../runs/run-folder.ts";
import { SpecMaker } from "../sweeps/drive-sweep.ts";
import { sweepEntries } from "../sweeps/sweep-entries.ts";
import { DataBook } from "../training/data-book.ts";
import type { MeasuredCase, MeasuredGaps, MeasuredRuns, RunsJob } from "./jobs/runs-job.ts";
import { sweepOf } from "./jobs/runs-shop.ts";
import { cueEffect } from "./moles/cue-effects.ts";
import { molesStudy } from "./moles.ts";
import type { PresetName, Study } from "./study.ts";
import { publishedCars, publishedCells } from "./urban-cars/published.ts";
import { rows } from "./urban-cars/rows.ts";
import { urbanCarsStudy } from "./urban-cars.ts";

/** Both common, background, object, both uncommon; as often in training. */
const shares = [0.9025, 0.0475, 0.0475, 0.0025];
const uncommonIn = [[], ["background"], ["coObject"], ["background", "coObject"]];

function gapsOf(cells: readonly number[]): MeasuredGaps {
  const inDistribution = cells.reduce((sum, accuracy, i) => sum + shares[i]! * accuracy, 0);
  return {
    inDistribution,
    cells: cells.map((accuracy, i) => ({
      uncommon: uncommonIn[i]!,
      accuracy,
      gap: i === 0 ? null : accuracy - inDistribution,
    })),
  };
}

/** Table 3's standard model, from its I.D. accuracy and gaps. */
const erm = [0.9919, 0.823, 0.864, 0.284];

/** Every run's cells are the standard model's and what `changes` says of its case, give or take a tenth of a point by seed. */
function measured(study: Study, preset: PresetName, changes: (each: MeasuredCase) => readonly number[]) {
  return (study.jobs(preset, {}) as readonly RunsJob[]).map((job): MeasuredRuns => {
    const cases = job.entries.map((entry): MeasuredCase => {
      const empty = { ...entry.case, runs: [], failures: [], chosen: {} };
      const runs = job.seeds.map((seed) => {
        const noise = 0.001 * ((seed * 7 + entry.case.method.length) % 3);
        const gaps = gapsOf(changes(empty).map((change, i) => erm[i]! + change + noise));
        const also = (entry.case.rules ?? []).slice(1).map(() => measuredRun({ gaps }));
        return measuredRun({ seed, gaps, also });
      });
      return { ...empty, runs };
    });
    return { kind: "runs", job, cases };
  });
}

const none = [0, 0, 0, 0];
const mole = ({ explicit, method }: MeasuredCase) => {
  if (method === "LLE" || explicit.length === 2) return [0, 0.1, 0.1, 0.5];
  if (explicit.length === 1) return explicit[0] === "background" ? [0, 0.1, -0.2, 0] : [0, -0.2, 0.1, 0];
  if (method === "CutMix") return [0, -0.3, 0.05, -0.1];
  return ["LfF", "JTT (E=1)", "EIIL (E=1)", "JTT"].includes(method) ? [0, 0.05, -0.1, 0] : none;
};

function verdicts(study: Study, changes: (each: MeasuredCase) => readonly number[]): string[] {
  const registered = study.registered("quick");
  const { findings } = study.report(measured(study, "quick", changes), { preset: "quick", registered });
  return findings.map(({ verdict }) => verdict);
}

describe("UrbanCars", () => {
  test("what the paper found is seen where it is there, and not where all methods are alike", () => {
    expect(verdicts(urbanCarsStudy, mole)).toEqual(Array(6).fill("seen"));
    expect(verdicts(urbanCarsStudy, () => none)).toEqual([
      "seen",
      "equivalent to none",
      "equivalent to none",
      "equivalent to none",
      "equivalent to none",
      "seen",
    ]);
  });

  test("a gap that shrank because common cells fell is no smaller reliance", () => {
    const fallen = (each: MeasuredCase) => (each.explicit.length === 2 ? [-0.25, -0.15, -0.12, 0.1] : none);
    expect(verdicts(urbanCarsStudy, fallen)[4]).toBe("contradicted");
  });

  test("a network near chance tells nothing", () => {
    const down = erm.map((accuracy) => 0.5 - accuracy);
    expect(new Set(verdicts(urbanCarsStudy, () => down))).toEqual(new Set(["cannot be told"]));
    const registered = urbanCarsStudy.registered("quick");
    const { sections } = urbanCarsStudy.report(
      measured(urbanCarsStudy, "quick", () => down),
      { preset: "quick", registered },
    );
    expect(figuresOf(sections).filter(({ name }) => name.endsWith("-moles"))).toEqual([]);
    expect(tablesOf(sections)[0]!.rows.map(({ cells }) => cells[8] ?? null)).not.toContain("equal");
  });

  test("ours and the published rows stand in one table, gaps as measured", () => {
    const parts = measured(urbanCarsStudy, "quick", mole);
    const registered = urbanCarsStudy.registered("quick");
    const { sections } = urbanCarsStudy.report(parts, { preset: "quick", registered });
    const [table] = tablesOf(sections);
    const cutmix = table!.rows.filter(({ cells }) => cells[0] === "CutMix");
    expect(cutmix.map(({ source }) => source)).toEqual(["ours", "published"]);
    // −0.3 less what it takes off I.D. accuracy, 0.0475 · (−0.3 + 0.05) − 0.0025 · 0.1.
    expect(cutmix[0]!.cells[5]).toMatchObject({ mean: expect.closeTo(-0.153 - 0.3 + 0.0121, 3), runs: 5 });
    expect(cutmix[0]!.cells[8]).toBe("amplified");
    expect(cutmix[1]!.cells[5]).toMatchObject({ mean: -0.45 });
    expect(cutmix[1]!.cells[7]).toMatchObject({ value: 2.94 });
    for (const { cells } of table!.rows) expect(cells).toHaveLength(table!.columns.length);
  });

  test("every row of the paper's tables has its published numbers", () => {
    const missing = rows.filter(
      ({ label, table, told }) => table && !publishedCars({ method: label, explicit: told }),
    );
    expect(missing).toEqual([]);
  });
});

describe("the mole board", () => {
  test("moles are seen where they are planted, and contradicted where nothing moves", () => {
    expect(verdicts(molesStudy, mole)).toEqual(Array(4).fill("seen"));
    expect(verdicts(molesStudy, () => none)).toEqual(["contradicted", "contradicted", "seen", "seen"]);
  });

  test("a cell says what became of a cue, and near chance no cell does", () => {
    const registered = molesStudy.registered("quick");
    const boardOf = (changes: (each: MeasuredCase) => readonly number[]) => {
      const parts = measured(molesStudy, "quick", changes);
      const { sections } = molesStudy.report(parts, { preset: "quick", registered });
      return sections.find(({ name }) => name === "board")!.tables![0]!.rows.map(({ cells }) => cells);
    };
    expect(boardOf(mole)).toContainEqual([
      "urban-cars",
      "Group DRO told background",
      "background: reduced",
      "coObject: amplified",
    ]);
    expect(boardOf(() => erm.map((accuracy) => 0.5 - accuracy))).toEqual([]);
  });
});

test("every run of the quick board of moles is one of the quick study", async () => {
  const specs = new SpecMaker(new DataBook());
  const ids = async (study: Study) => {
    const jobs = study.jobs("quick", {}) as readonly RunsJob[];
    const made = jobs.flatMap((job) =>
      sweepEntries(sweepOf(job)).map(async (entry) => runId(await specs.make(entry, {}, job.seeds[0]!))),
    );
    return new Set(await Promise.all(made));
  };
  const [board, cars] = [await ids(molesStudy), await ids(urbanCarsStudy)];
  expect([...board].filter((id) => !cars.has(id))).toEqual([]);
  expect(board.size).toBe(7);
});

test("published cells: of the standard model both common is 99.19%, and the background is worth 16.9 and 58.0 points", () => {
  const cells = publishedCells({ method: "ERM", explicit: [] })!;
  expect(cells.cells[0]!.accuracy).toBeCloseTo(0.9919, 4);
  // 99.19 less 82.3, and 86.4 less 28.4.
  expect(cueEffect(cells, "background")).toEqual({
    covered: expect.closeTo(0.1689, 4),
    bare: expect.closeTo(0.58, 12),
    mean: expect.closeTo(0.3744, 4),
  });
  expect(publishedCells({ method: "unknown", explicit: [] })).toBeUndefined();
});
