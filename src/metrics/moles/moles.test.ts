/** Verdicts on made-up and simulated models, and the ratios that Li et al. 2023 ("A Whac-A-Mole Dilemma") print. */

import { describe, expect, test } from "vitest";
import { type Random, randomStream } from "../../core/random.ts";
import { normalCdf, normalQuantile, smallestMean, studentTest } from "../../core/statistics/index.ts";
import type { AlignedCell, Alignment } from "../alignment.ts";
import {
  amplificationOf,
  type CompareOptions,
  compareSeeds,
  compareToBaseline,
  judgeMoles,
  type MoleVerdict,
  moleSentence,
  type SeedPair,
} from "./index.ts";

const shares = [0.9025, 0.0475, 0.0475, 0.0025];
const uncommonIn = [[], ["background"], ["coObject"], ["background", "coObject"]];

/** Cells in the order both common, background, object, both uncommon: accuracies of a model, as standings. */
function standings(cells: readonly number[]) {
  const common = cells.reduce((sum, accuracy, i) => sum + accuracy * shares[i]!, 0);
  return uncommonIn.slice(1).map((cues, i) => ({ cues, uncommon: cells[i + 1]!, common }));
}

const erm = [0.9919, 0.823, 0.864, 0.284];
const wobble = [0.004, -0.006, 0.002, 0.005, -0.005];

/** Five seeds in which the method's cells differ from the baseline's by `change`, give or take half a point. */
function pairs(change: readonly number[]): SeedPair[] {
  return wobble.map((noise, seed) => ({
    method: standings(
      erm.map((accuracy, cell) => accuracy + change[cell]! + noise * (cell % 2 === 0 ? 1 : -1)),
    ),
    baseline: standings(erm.map((accuracy) => accuracy + 0.01 * wobble[(seed + 2) % 5]!)),
  }));
}

function verdicts(change: readonly number[], options: CompareOptions = {}) {
  const [judged] = judgeMoles([compareSeeds(pairs(change), "cells", options)]);
  return { judged: judged!, verdicts: judged!.cues.map(({ verdict }) => verdict) };
}

describe("published", () => {
  test.each([
    // Table 3: CutMix's background, JTT (E = 1)'s and (E = 2)'s object, as facts of the paper's text; Table 5's Group DRO.
    [-45.0, -15.3, 2.94],
    [-18.4, -11.2, 1.64],
    [-24.7, -11.2, 2.21],
    [-36.1, -15.4, 2.34],
    [-2.1, -15.3, 0.14],
    [0.4, -15.3, 0],
  ])("%f over %f is %f", (method, baseline, ratio) => {
    expect(amplificationOf(method, baseline)).toBeCloseTo(ratio, 2);
  });

  test("a baseline without reliance has no ratio", () => {
    expect(amplificationOf(-10, 0.2)).toBeNull();
  });
});

describe("verdicts over seeds", () => {
  const cases: [string, number[], (MoleVerdict | null)[], RegExp][] = [
    [
      "a mole",
      [0, 0.1, -0.2, 0],
      ["reduced", "amplified", null],
      /background went down and on coObject came up: a mole/,
    ],
    [
      "nothing moved",
      [0, 0, 0, 0],
      ["equal", "equal", null],
      /Reliance on background and coObject stayed equal within 3 points/,
    ],
    [
      "common cells fell alone",
      [-0.2, 0, 0, 0],
      ["worse everywhere", "worse everywhere", null],
      /worse everywhere/,
    ],
    [
      "both cured",
      [-0.01, 0.12, 0.1, 0.5],
      ["reduced", "reduced", null],
      /went down, and none was seen to come up/,
    ],
  ];
  test.each(cases)("%s", (_, change, expected, sentence) => {
    const { judged, verdicts: found } = verdicts(change);
    expect(found).toEqual(expected);
    expect(moleSentence(judged)).toMatch(sentence);
  });

  test("a gap that grows because common cells rose is no amplification", () => {
    const low = [0.8, 0.6, 0.6, 0.3];
    const seeds = wobble.map((noise) => ({
      method: standings([low[0]! + 0.1 + noise, low[1]! - noise, low[2]! + noise, low[3]!]),
      baseline: standings(low),
    }));
    const [judged] = judgeMoles([compareSeeds(seeds, "cells")]);
    expect(judged!.cues[0]!.gap.value).toBeLessThan(-0.05);
    expect(judged!.cues[0]!.verdict).toBe("cannot be told");
  });

  test("worse everywhere needs to know that there was no rise, not just to have seen none", () => {
    // Common cells fall by 5 points in every seed, so that the gap surely shrinks; uncommon ones move by these.
    const judgedWith = (rises: readonly number[]) => {
      const seeds = rises.map((rise, seed) => ({
        method: standings([erm[0]! - 0.05 + wobble[seed]!, erm[1]! + rise, erm[2]!, erm[3]!]),
        baseline: standings(erm),
      }));
      return judgeMoles([compareSeeds(seeds, "cells")])[0]!.cues[0]!;
    };
    const open = judgedWith([0.06, 0.04, 0, 0.05, -0.01]);
    expect(open.gap.pValue).toBeLessThan(0.025);
    // 2.8 points with a standard error of 1.4: t = 2.01.
    expect(open.uncommon).toMatchObject({ value: expect.closeTo(0.028, 9) });
    expect(open.uncommon.pValue).toBeCloseTo(0.1148, 4);
    expect(open.verdict).toBe("cannot be told");
    expect(judgedWith([0.006, 0.004, 0, 0.005, -0.001]).verdict).toBe("worse everywhere");
    expect(judgedWith([-0.03, -0.02, 0, -0.025, 0.005]).verdict).toBe("worse everywhere");
  });

  test("what could have been seen counts the whole family", () => {
    const differences = pairs([0, 0.01, -0.01, 0]).map(
      ({ method, baseline }) =>
        method[0]!.uncommon - method[0]!.common - (baseline[0]!.uncommon - baseline[0]!.common),
    );
    for (const methods of [1, 10]) {
      const board = Array.from({ length: methods }, () => compareSeeds(pairs([0, 0.01, -0.01, 0]), "cells"));
      expect(judgeMoles(board)[0]!.cues[0]!.smallestSeen).toBeCloseTo(
        smallestMean(differences, { alpha: 0.05 / (2 * methods) }),
        12,
      );
    }
  });

  test("one seed tells nothing, and a wider margin lets more be equal", () => {
    const one = judgeMoles([compareSeeds(pairs([0, 0.1, -0.2, 0]).slice(0, 1), "cells")])[0]!;
    expect(one.cues.map(({ verdict }) => verdict)).toEqual(["cannot be told", "cannot be told", null]);
    expect(verdicts([0, 0.04, 0.04, 0], { margin: 0.1 }).verdicts).toEqual(["equal", "equal", null]);
    expect(verdicts([0, 0.04, 0.04, 0]).verdicts).toEqual(["reduced", "reduced", null]);
  });

  test("differences are Student's over seeds, and a board is one family", () => {
    const comparison = compareSeeds(pairs([0, 0.01, -0.01, 0]), "cells");
    const gaps = pairs([0, 0.01, -0.01, 0]).map(
      ({ method, baseline }) =>
        method[0]!.uncommon - method[0]!.common - (baseline[0]!.uncommon - baseline[0]!.common),
    );
    const alone = studentTest(gaps);
    expect(comparison.cues[0]!.gap).toMatchObject({ value: alone.mean, pValue: alone.pValue });
    const board = judgeMoles([
      comparison,
      ...Array.from({ length: 9 }, () => compareSeeds(pairs([0, 0, 0, 0]), "cells")),
    ]);
    expect(board[0]!.family).toBe(20);
    // Of twenty the smallest p-value counts twenty times at most, and never less than alone.
    const adjusted = board[0]!.cues[0]!.adjusted!.gap!;
    expect(adjusted).toBeGreaterThan(2 * alone.pValue!);
    expect(adjusted).toBeLessThanOrEqual(Math.min(1, 20 * alone.pValue!));
  });

  test("at both ends of a ratio's interval, method less ratio × baseline is Student's 5%", () => {
    const [cue] = compareSeeds(pairs([0, 0.05, -0.1, 0]), "cells").cues;
    const seeds = pairs([0, 0.05, -0.1, 0]);
    const gap = (side: SeedPair["method"]) => side[0]!.uncommon - side[0]!.common;
    for (const end of [cue!.ratio!.low, cue!.ratio!.high])
      expect(
        studentTest(seeds.map(({ method, baseline }) => gap(method) - end * gap(baseline))).pValue,
      ).toBeCloseTo(0.05, 8);
  });

  test("no ratio unless the baseline's lower bound exceeds the margin", () => {
    expect(
      compareSeeds(pairs([0, 0, 0, 0]), "cells", { margin: 0.2 }).cues.map(({ ratio }) => ratio === null),
    ).toEqual([true, true, false]);
  });
});

/** Whether each image is right, by class and cell: abilities of a model and difficulties of images on the probit scale. */
function simulated(random: Random, change: readonly number[], images: number): Alignment {
  const [ours, theirs] = [modelOf(random, change), modelOf(random, [0, 0, 0, 0])];
  // What a draw of the data adds to both models.
  const draw = erm.map(() => 0.1 * random.normal());
  const cells: AlignedCell[] = uncommonIn.map((uncommon, cell) => ({
    uncommon,
    share: shares[cell]!,
    classes: [0, 1].map(() => {
      const tally = { count: images, correct: 0, baselineCorrect: 0, bothCorrect: 0 };
      for (let i = 0; i < images; i++) {
        const difficulty = Math.SQRT1_2 * random.normal();
        const [a, b] = [ours, theirs].map(
          (model) => Math.SQRT1_2 * random.normal() + difficulty < model[cell]! + draw[cell]!,
        );
        tally.correct += Number(a);
        tally.baselineCorrect += Number(b);
        tally.bothCorrect += Number(a && b);
      }
      return tally;
    }),
  }));
  return { cues: ["background", "coObject"], cells, unknown: 0 };
}

/** Between seeds, cells of one model vary by a fifth of a standard deviation: 5 points at an accuracy of 82%. */
function modelOf(random: Random, change: readonly number[]): number[] {
  return erm.map((accuracy, cell) => normalQuantile(accuracy) + change[cell]! + 0.2 * random.normal());
}

function drawn(draw: number, seeds: number, change: readonly number[], images: number) {
  const tables = Array.from({ length: seeds }, (_, seed) => ({
    alignment: simulated(stream.at(1000 * draw + seed), change, images),
    cues: [],
  }));
  return judgeMoles([compareToBaseline(tables)!])[0]!.cues.flatMap(({ verdict }) => verdict ?? []);
}

const stream = randomStream(2023, "moles");
const silent = new Set<MoleVerdict>(["equal", "cannot be told"]);

describe("simulated models", () => {
  test("of 300 draws of five ERM seeds against five others, at most 15 have a verdict", () => {
    // Of 1,000 draws 33 had one, when this was written.
    const draws = Array.from({ length: 300 }, (_, draw) => drawn(draw, 5, [0, 0, 0, 0], 60));
    expect(draws.filter((found) => found.some((verdict) => !silent.has(verdict))).length).toBeLessThanOrEqual(
      15,
    );
  });

  test("a planted mole is found: background cured by 12 points, object worse by 20", () => {
    const change = [
      0,
      normalQuantile(0.943) - normalQuantile(0.823),
      normalQuantile(0.664) - normalQuantile(0.864),
      0,
    ];
    const draws = Array.from({ length: 40 }, (_, draw) => drawn(draw, 5, change, 60));
    const found = draws.filter(([background, object]) => background === "reduced" && object === "amplified");
    // Power, not certainty: with five seeds of this spread 33 of 40 have both verdicts.
    expect(found.length).toBeGreaterThanOrEqual(28);
  });
});

describe("over images", () => {
  test("one pair of tables errs in 5 of 100 cases where both models are equally good", () => {
    // The same model twice on other images: what differs is chance alone. Bound: four standard errors of 400 draws.
    let errors = 0;
    for (let draw = 0; draw < 400; draw++) {
      const random = stream.at(500_000 + draw);
      const tally = (accuracy: number) => {
        const sum = { count: 80, correct: 0, baselineCorrect: 0, bothCorrect: 0 };
        for (let i = 0; i < 80; i++) {
          const [a, b] = [random.uniform() < accuracy, random.uniform() < accuracy];
          sum.correct += Number(a);
          sum.baselineCorrect += Number(b);
          sum.bothCorrect += Number(a && b);
        }
        return sum;
      };
      const cells = uncommonIn.map((uncommon, i) => ({
        uncommon,
        share: shares[i]!,
        classes: [tally(erm[i]!), tally(erm[i]!)],
      }));
      const alignment = { cues: ["background", "coObject"], cells, unknown: 0 };
      if (compareToBaseline([{ alignment, cues: [] }])!.cues[0]!.gap.pValue! < 0.05) errors++;
    }
    expect(errors / 400).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / 400));
  });

  test("a p-value is where its interval begins to hold zero, and a large sample's is the normal one", () => {
    const tally = { count: 4000, correct: 3100, baselineCorrect: 3000, bothCorrect: 2700 };
    const half = { cue: "place", majority: tally, minority: { ...tally, correct: 3000 }, unknown: 0 };
    const comparison = compareToBaseline([{ alignment: null, cues: [half] }])!;
    expect(comparison.kind).toBe("halves");
    const { gap, flips } = comparison.cues[0]!;
    // Gaps 0 and −2.5 points: paired variances by hand (a + b − (a − b)²)/n of both halves.
    const variance = (a: number, b: number) => (a + b - (a - b) ** 2) / 4000;
    const error = Math.sqrt(variance(0.1, 0.075) + variance(0.075, 0.075));
    expect(gap.value).toBeCloseTo(-0.025, 12);
    expect(gap.pValue).toBeCloseTo(2 * normalCdf(-0.025 / error), 3);
    const at = compareToBaseline([{ alignment: null, cues: [half] }], { alpha: gap.pValue! })!.cues[0]!.gap;
    expect(at.interval!.high).toBeCloseTo(0, 8);
    expect(flips).toEqual({ images: 4000, toWrong: 300, toRight: 300 });
  });
});
