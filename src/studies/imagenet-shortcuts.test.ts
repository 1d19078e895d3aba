/** Findings that come out both ways on made-up answers, gaps by hand, and rows that look at no view that is not extracted. */

import { expect, test } from "vitest";
import { tablesOf } from "../core/section.ts";
import { resolveAugmentations } from "../views/augmentations.ts";
import { claims, type ShortcutClaim } from "./imagenet-shortcuts/findings.ts";
import { gapsOf } from "./imagenet-shortcuts/gaps.ts";
import { parts, shortcutJobs } from "./imagenet-shortcuts/plan.ts";
import { presets } from "./imagenet-shortcuts/presets.ts";
import { ablations, baseline, ensemble, inferring, targeted, unaware } from "./imagenet-shortcuts/rows.ts";
import { imageNetShortcutsStudy as study } from "./imagenet-shortcuts.ts";
import type { Measured } from "./jobs/kinds.ts";
import type { LayersJob } from "./jobs/layers-job.ts";
import type { NetworkAnswer, PredictionsJob } from "./jobs/predictions-job.ts";

const { quick } = presets;
const jobs = shortcutJobs(quick, {});
const layers = jobs.find(({ kind }) => kind === "layers") as LayersJob;

/** Shares of a hundred: of groups on own and on other backgrounds, with the mark, of the marked class with it, with another's grain. */
interface Made {
  own: number;
  other: number;
  marked: number;
  class: number;
  grain: number;
}

const erm: Made = { own: 90, other: 80, marked: 70, class: 95, grain: 75 };

function answerOf(label: string, seed: number, made: Made): NetworkAnswer {
  const images = 1200;
  // Seeds differ by a little.
  const share = (value: number) => Math.round((images * (value + 0.3 * ((seed % 3) - 1))) / 100);
  const half = (value: number) => share(value) / 2;
  const correct = half(made.own) + half(made.other);
  const marked = share(made.marked);
  const [own, withMark] = [share(45) / 6, share(made.class) / 6];
  const byClass = (right: number) => ({ name: "", images: images / 6, correct: right, probability: 1 / 6 });
  const pushed = { change: 0, deviation: 0, ownChange: 0, correct: 0, gained: 0, lost: 0 };
  return {
    id: `${label}-${seed}`,
    label,
    seed,
    images,
    correct,
    groups: [
      { values: { group: "CeO-24" }, images: images / 2, correct: half(made.own) },
      { values: { group: "CoR-32" }, images: images / 2, correct: half(made.other) },
    ],
    classes: [{ ...byClass(own), name: "cow" }, byClass(0)],
    marks: [
      {
        mark: "chinese",
        correct: marked,
        gained: 0,
        lost: correct - marked,
        classes: [{ ...pushed, correct: withMark, gained: withMark - own }, pushed],
      },
    ],
    changes: [
      { change: "texture-swapped", correct: share(made.grain), byControl: share(80), gained: 12, lost: 60 },
    ],
  };
}

function measuredOf(rows: Readonly<Record<string, Partial<Made>>>): Measured[] {
  const labels = layers.entries.map(({ label }) => label);
  const seeds = [0, 1, 2, 3, 4];
  const answers = labels.flatMap((label) =>
    seeds.map((seed) => answerOf(label, seed, { ...erm, ...rows[label] })),
  );
  const job = jobs.find(({ name }) => name === parts.shortcuts) as PredictionsJob;
  const fitted = labels.flatMap((label) =>
    seeds.map((seed) => ({
      id: label,
      label,
      seed,
      rate: 0.01,
      validation: Array(20).fill(0.9),
      tried: [0.9],
    })),
  );
  return [
    { kind: "layers", job: layers, layers: fitted },
    { kind: "predictions", job, models: answers },
  ];
}

const report = (measured: readonly Measured[]) =>
  study.report(measured, { preset: "quick", registered: study.registered("quick") });

test("gaps by hand", () => {
  const gaps = gapsOf([], quick);
  const answer = answerOf("ERM", 1, erm);
  expect(gaps.plain(answer)?.value).toBeCloseTo(0.9, 12);
  expect(gaps.background(answer)?.value).toBeCloseTo(-0.1, 12);
  expect(gaps.watermark(answer)?.value).toBeCloseTo((840 - 1020) / 1200, 12);
  expect(gaps.class(answer)?.value).toBeCloseTo(0.5, 12);
  expect(gaps.texture(answer)?.value).toBeCloseTo((900 - 1020) / 1200, 12);
  expect(gaps.grain(answer)?.value).toBeCloseTo((12 - 60) / 1200, 12);
});

test("what the paper found is seen where it is there, and contradicted where it is not", () => {
  const less = { marked: 84, other: 89, grain: 89 };
  const found = (rows: Parameters<typeof measuredOf>[0]) =>
    Object.fromEntries(
      (Object.keys(claims) as ShortcutClaim[]).map((name, i) => [
        name,
        report(measuredOf(rows)).findings[i]!.verdict,
      ]),
    );
  const asPublished = found({
    [targeted.watermark]: { marked: 84, other: 75 },
    [targeted.texture]: { grain: 84, class: 100, other: 75, marked: 67.5 },
    [targeted.background]: { other: 88, class: 100 },
    ...Object.fromEntries(inferring.map((row) => [row, { marked: 60 }])),
    [ensemble]: less,
    [ablations.single]: { ...less, grain: 78 },
    [ablations.alike]: { ...less, marked: 74 },
  });
  expect(asPublished).toEqual(Object.fromEntries(Object.keys(claims).map((name) => [name, "seen"])));
  const otherwise = found({
    [baseline]: { marked: 85, class: 45, grain: 85, other: 90 },
    ...Object.fromEntries([...unaware, ensemble].map((row) => [row, { own: 80, marked: 50, grain: 50 }])),
  });
  for (const name of ["unaware", "ensemble", "accuracy"] as const)
    expect(otherwise[name], name).toBe("contradicted");
});

test("layers that still rise are compared with nothing; published rows stand beside ours", () => {
  const measured = measuredOf({});
  const [first, ...rest] = measured as [Measured & { kind: "layers" }, Measured];
  const rising = first.layers.map((layer) => ({
    ...layer,
    validation: Array.from({ length: 20 }, (_, epoch) => epoch / 20),
  }));
  for (const { verdict } of report([{ ...first, layers: rising }, ...rest]).findings)
    expect(verdict).toBe("cannot be told");
  const [table] = tablesOf(report(measured).sections);
  const theirs = table!.rows.filter(({ source }) => source === "published").map(({ cells }) => cells[0]);
  // All of Table 4, three ablations of Table 7, LfMF of Table 10, edges of Table 17.
  expect(theirs).toHaveLength(14 + 3 + 1 + 1);
  for (const { cells } of table!.rows) expect(cells).toHaveLength(table!.columns.length);
});

test("every row learns from images as they are, or from views that are extracted", () => {
  const resolved = (use: unknown) => JSON.stringify(resolveAugmentations([use as never]));
  const there = new Set(layers.views.map(([use]) => resolved(use)));
  for (const { augment = [], settings = {} } of layers.entries)
    for (const use of [...augment, ...((settings as { views?: unknown[] }).views ?? [])])
      expect(there).toContain(resolved(use));
});
