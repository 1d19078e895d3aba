/** Means of groups as the paper makes them, and findings that come out both ways on made-up answers. */

import { expect, test } from "vitest";
import { trainedNetworks } from "../../test/helpers/trained-networks.ts";
import { tablesOf } from "../core/section.ts";
import {
  categoriesOf,
  type PlacedCells,
  placedCells,
  table1,
  table8,
  table9,
} from "../published/corner-cases.ts";
import { all, categories, meanOf, type PlacedCell, placedShares } from "./hard-spurious-pretrained/cells.ts";
import { claims } from "./hard-spurious-pretrained/findings.ts";
import { placedJobs } from "./hard-spurious-pretrained/plan.ts";
import { augmented, baseline, narrow, presets, wide } from "./hard-spurious-pretrained/presets.ts";
import { hardSpuriousPretrainedStudy as study } from "./hard-spurious-pretrained.ts";
import type { Measured } from "./jobs/kinds.ts";
import type { NetworkAnswer, PredictionsJob } from "./jobs/predictions-job.ts";

/** 500 images a group; the shares of the twelve. */
function answer(
  label: string,
  seed: number | null,
  share: (cell: PlacedCell, rank: number) => number,
): NetworkAnswer {
  const groups = placedCells.flatMap((cell) =>
    [16, 24, 32].map((size, rank) => ({
      values: { group: `${cell}-${size}` },
      images: 500,
      correct: Math.round(500 * Math.min(1, Math.max(0, share(cell, rank)))),
    })),
  );
  const correct = groups.reduce((sum, group) => sum + group.correct, 0);
  return { id: label, label, seed, images: 6000, correct, groups, classes: [], marks: [] };
}

const asPrinted = (cells: PlacedCells) => answer("printed", null, (cell, rank) => cells[cell][rank]! / 100);

test("means of groups are those of the paper's categories, whatever the sizes are", () => {
  for (const { square } of [...table1, ...table8, ...table9]) {
    const theirs = categoriesOf(square);
    // 500 images leave a tenth of a point of rounding.
    for (const name of ["easy", "medium", "hard"] as const)
      expect(Math.abs(100 * meanOf(asPrinted(square), categories[name])!.value - theirs[name])).toBeLessThan(
        0.11,
      );
  }
  const [one] = table1;
  const made = asPrinted(one!.square);
  expect(placedShares(made)!.CeR[1]).toEqual({ images: 500, correct: 21 });
  // Twelve independent shares of 500: the error of their mean, by hand of equal shares of a half.
  expect(
    meanOf(
      answer("half", null, () => 0.5),
      all,
    )!.error,
  ).toBeCloseTo(Math.sqrt(0.25 / 500 / 12), 12);
  expect(placedShares({ groups: made.groups.slice(1) })).toBeUndefined();
});

test("the paper says that CoR is the worst at the smallest size; its own ConvNeXt is worse in CeR at 84, and squeezed no more", () => {
  const worst = (cells: PlacedCells) =>
    placedCells
      .flatMap((cell) => cells[cell].map((value, rank) => ({ name: `${cell} ${rank}`, value })))
      .sort((a, b) => a.value - b.value)[0]!.name;
  expect(table1.map(({ square }) => worst(square))).toEqual(["CeR 1", "CoR 0", "CoR 0", "CoR 0", "CoR 0"]);
  expect(table1.map(({ preserve }) => worst(preserve!))).toEqual([
    "CeR 0",
    "CoR 0",
    "CoR 0",
    "CoR 0",
    "CoR 0",
  ]);
});

const job = (name: string) =>
  ({ kind: "predictions", name, title: "", of: { job: "networks" }, data: {} }) as PredictionsJob;

/** What each part's groups are, by a recipe of the costs of backgrounds, corners and size. */
interface Costs {
  random: number;
  corner: number;
  size: number;
  part?: Readonly<Record<string, number>>;
  scale?: number;
  augmented?: readonly [original: number, cornerRandom: number];
}

function measuredBy(
  costs: Costs,
  seeds: readonly (number | null)[],
  rising: readonly string[] = [],
): Measured[] {
  const labels = seeds.includes(null) ? ["mine"] : [narrow, baseline, wide, augmented];
  const part = (name: string): Measured => ({
    kind: "predictions",
    job: job(name),
    models: labels.flatMap((label) =>
      seeds.map((seed) => {
        const noise = 0.004 * (seed ?? 0);
        const wider =
          (costs.scale ?? 0) * (label === augmented ? 1 : [narrow, baseline, wide].indexOf(label));
        const [original, cornerRandom] = label === augmented ? (costs.augmented ?? [0, 0]) : [0, 0];
        if (name === "clean")
          return { ...answer(label, seed, () => 0), images: 500, correct: 480 - 4 * (seed ?? 0) };
        return answer(label, seed, (cell, rank) => {
          const random = cell.endsWith("R");
          const telling = name === "telling" && random ? (costs.part?.telling ?? 0) : 0;
          return (
            0.75 +
            noise +
            (random ? costs.random + telling : original) +
            (cell.startsWith("Co") ? costs.corner : 0) +
            costs.size * (2 - rank) +
            (name === "telling" ? 0 : (costs.part?.[name] ?? 0)) +
            wider +
            (cell === "CoR" ? cornerRandom : 0)
          );
        });
      }),
    ),
  });
  return [
    ...["clean", "squeezed", "proportions", "telling", "masks"].map(part),
    ...(seeds.includes(null) ? [] : [trainedNetworks(labels, rising)]),
  ];
}

function verdictsOf(measured: readonly Measured[], preset: "quick" | "paper" = "quick") {
  const registered = study.registered(preset);
  const { findings } = study.report(measured, { preset, registered });
  return Object.fromEntries(findings.map(({ claim, verdict }) => [claim, verdict]));
}

const asThePaper: Costs = {
  random: -0.2,
  corner: -0.06,
  size: -0.03,
  part: { proportions: 0.06, masks: -0.06, telling: -0.05 },
  scale: 0.05,
  augmented: [0.06, -0.15],
};

test("what the paper found is seen where it is there, and contradicted where it is the other way round", () => {
  const found = verdictsOf(measuredBy(asThePaper, [0, 1, 2]));
  expect(Object.keys(found)).toHaveLength(9);
  expect(new Set(Object.values(found))).toEqual(new Set(["seen"]));
  // A network that has not come to rest is compared with nothing.
  expect(verdictsOf(measuredBy(asThePaper, [0, 1, 2], [wide]))).toMatchObject({
    [claims.scale]: "cannot be told",
    [claims.background]: "cannot be told",
    [claims.augmented]: "seen",
  });
  const turned = verdictsOf(
    measuredBy(
      {
        random: 0.06,
        corner: 0.04,
        size: 0.02,
        part: { proportions: -0.06, masks: 0.05, telling: 0.05 },
        scale: -0.05,
        augmented: [-0.06, 0.06],
      },
      [0, 1, 2],
    ),
  );
  const { [claims.clean]: _clean, ...others } = turned;
  expect(new Set(Object.values(others))).toEqual(new Set(["contradicted"]));
  const none = verdictsOf(measuredBy({ random: 0, corner: 0, size: 0 }, [0, 1, 2]));
  expect(none[claims.background]).toBe("equivalent to none");
});

test("of networks that were brought, intervals are over images and pairs are not asked about", () => {
  const found = verdictsOf(measuredBy(asThePaper, [null]), "paper");
  expect(Object.keys(found)).toHaveLength(7);
  expect(new Set(Object.values(found))).toEqual(new Set(["seen"]));
  // Without boxes there are photographs alone, and nothing can be told.
  const clean = verdictsOf(measuredBy(asThePaper, [null]).slice(0, 1), "paper");
  expect(new Set(Object.values(clean))).toEqual(new Set(["cannot be told"]));
});

test("all published networks stand beside ours, best first, and every row fits its columns", () => {
  const registered = study.registered("quick");
  const { sections } = study.report(measuredBy(asThePaper, [0, 1, 2]), { preset: "quick", registered });
  const tables = tablesOf(sections);
  for (const { columns, rows } of tables)
    for (const { cells } of rows) expect(cells).toHaveLength(columns.length);
  const [means, cells] = tables;
  // Fourteen networks of Tables 1 to 5, two of Tables 7 and 10, and four of ours.
  expect(means!.rows).toHaveLength(14 + 2 + 4);
  expect(cells!.rows).toHaveLength(3 * (14 + 4));
  const all = means!.rows.map(({ cells }) => (cells.at(-1) as { mean: number }).mean);
  expect(all).toEqual(all.toSorted((a, b) => b - a));
  // By hand: the mean of its twelve printed cells.
  expect(means!.rows.find(({ cells: [name] }) => name === "EVA-CLIP")!.cells.at(-1)).toMatchObject({
    mean: expect.closeTo(0.67302, 4),
  });
  expect(sections.map(({ name }) => name)).toEqual([
    "squeezed",
    "proportions",
    "telling",
    "masks",
    "training",
  ]);
  for (const { figures } of sections.slice(0, 4)) expect(figures![0]!.draw().description).toContain(baseline);
});

test("parts are those of what is given; version 2 has the paper's ten objects and eleven backgrounds", () => {
  const names = (given: Record<string, string>) => placedJobs(presets.paper, given).map(({ name }) => name);
  const both = { models: "a.onnx", imagenet: "val" };
  expect(names(both)).toEqual(["clean"]);
  expect(names({ ...both, boxes: "xml" })).toEqual(["clean", "squeezed", "proportions", "telling"]);
  expect(names({ ...both, boxes: "xml", masks: "m" })).toHaveLength(5);
  const jobs = placedJobs(presets.paper, { ...both, boxes: "xml", count: "7" });
  const telling = jobs.find(({ name }) => name === "telling") as PredictionsJob;
  const { classes, backgroundClasses, count } = telling.data.settings as Record<string, string[]> & {
    count: { test: number };
  };
  expect([classes!.length, backgroundClasses!.length, count.test]).toEqual([10, 11, 7]);
  for (const id of [...classes!, ...backgroundClasses!]) expect(id).toMatch(/^n\d{8}$/);
  expect(placedJobs(presets.quick, {}).map(({ name }) => name)).toEqual([
    "networks",
    "clean",
    "squeezed",
    "proportions",
    "telling",
    "masks",
  ]);
});
