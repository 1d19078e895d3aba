/** Numbers of Li et al. 2023 ("A Whac-A-Mole Dilemma"), Table 3: I.D. accuracy and gaps on UrbanCars. */

import { describe, expect, test } from "vitest";
import { alignmentOf, mostAlignedCues } from "./alignment.ts";
import type { CountedCell, PredictionCounts } from "./counts.ts";
import { cueGap } from "./cue-gap.ts";
import { type Evaluation, evaluationOf, type Question } from "./evaluation.ts";
import { inDistribution } from "./in-distribution.ts";

/** Two classes, urban and country, by the values of two cues of the same names. */
const cues = ["background", "coObject"].map((name) => ({
  name,
  majority: { by: "values" as const, values: ["urban", "country"] },
}));

const question: Question = {
  grouping: { by: ["class", "background", "coObject"] },
  cues,
  alphas: [],
  betas: [],
};

/** Accuracies in per cent by uncommon background and uncommon object; the two classes lie `apart` points apart. */
function urbanCars(accuracies: readonly number[], apart = 0): Evaluation {
  const trained = [3610, 190, 190, 10];
  const cells = [0, 1].flatMap((label) =>
    accuracies.map((percent, cell): CountedCell => {
      const value = (uncommon: number) => (uncommon ? 1 - label : label);
      return {
        label,
        values: [value(cell & 1), value(cell >> 1)],
        count: 10_000,
        correct: Math.round(100 * (percent + (label === 0 ? apart : -apart))),
        baselineCorrect: null,
        bothCorrect: null,
        train: trained[cell]!,
      };
    }),
  );
  const counts: PredictionCounts = {
    classNames: ["urban", "country"],
    valueNames: new Map(cues.map(({ name }) => [name, ["urban", "country"]])),
    margins: [
      { attributes: ["background", "coObject"], cells },
      ...cues.map(({ name }, i) => ({
        attributes: [name],
        cells: cells.map((cell) => ({ ...cell, values: [cell.values[i]!] })),
      })),
    ],
    calibration: null,
  };
  return evaluationOf(counts, question);
}

/** Printed with one decimal. */
const rounding = 0.0501;

describe("Table 3", () => {
  // From 97.6 and gaps of −15.3, −11.2 and −69.2 both-common accuracy follows: (97.6 − .0475·(82.3 + 86.4) − .0025·28.4)/.9025.
  const rows: [string, number[], number, number[]][] = [
    ["ERM", [99.19, 82.3, 86.4, 28.4], 97.6, [-15.3, -11.2, -69.2]],
    ["LLE", [96.97, 94.6, 94.0, 90.8], 96.7, [-2.1, -2.7, -5.9]],
  ];

  test.each(rows)("%s: cells give the printed I.D. accuracy and gaps", (_, accuracies, usual, gaps) => {
    for (const apart of [0, 0.8]) {
      const evaluation = urbanCars(accuracies, apart);
      expect(evaluation.alignment!.cells.map(({ share }) => share)).toEqual([0.9025, 0.0475, 0.0475, 0.0025]);
      expect(Math.abs(100 * inDistribution.of(evaluation)[0]!.value! - usual)).toBeLessThan(rounding);
      const scores = cueGap.of(evaluation);
      expect(scores.map(({ of }) => of)).toEqual(["background", "coObject", "background + coObject"]);
      for (const [i, { value }] of scores.entries())
        expect(Math.abs(100 * value! - gaps[i]!)).toBeLessThan(rounding);
    }
  });

  test("a gap's interval is that of one sum: its cell is part of the average", () => {
    const { value, interval } = cueGap.of(urbanCars([99.19, 82.3, 86.4, 28.4]))[0]!;
    // Standard errors of 10,000 images a class; weights (1 − .0475)/2 of the cell, −.9025/2 of the common one, ….
    const variance = ([accuracy, weight]: [number, number]) =>
      (2 * weight ** 2 * accuracy * (1 - accuracy)) / 10_000;
    const terms: [number, number][] = [
      [0.9919, 0.9025 / 2],
      [0.823, 0.9525 / 2],
      [0.864, 0.0475 / 2],
      [0.284, 0.0025 / 2],
    ];
    const half = 1.959964 * Math.sqrt(terms.map(variance).reduce((a, b) => a + b));
    // Wilson's intervals are a little wider than the normal ones.
    expect(interval!.high - value!).toBeCloseTo(half, 3);
    expect(value! - interval!.low).toBeCloseTo(half, 3);
  });
});

test("cells without images, classes without a common value, and more cues than can be crossed", () => {
  const { alignment } = urbanCars([99, 82, 86, 28]);
  const none = { ...alignment!.cells[3]!, classes: [] };
  const evaluation = {
    ...urbanCars([99, 82, 86, 28]),
    alignment: { ...alignment!, cells: [...alignment!.cells.slice(0, 3), none] },
  };
  expect(cueGap.of(evaluation).map(({ value }) => value === null)).toEqual([false, false, true]);
  // Without its last cell the others' weights add up to one: (.9025·99 + .0475·82 + .0475·86)/.9975.
  expect(inDistribution.of(evaluation)[0]!.value).toBeCloseTo(
    (0.9025 * 0.99 + 0.0475 * (0.82 + 0.86)) / 0.9975,
    12,
  );
  const counts: PredictionCounts = {
    classNames: ["a", "b"],
    valueNames: new Map([["c", ["p", "q"]]]),
    margins: [
      {
        attributes: ["c"],
        cells: [0, 1].map((label) => ({
          label,
          values: [0],
          count: 5,
          correct: 3,
          baselineCorrect: null,
          bothCorrect: null,
          train: 7,
        })),
      },
    ],
    calibration: null,
  };
  const half = { name: "c", majority: { by: "values" as const, values: ["p", undefined] } };
  expect(alignmentOf(counts, [half])).toMatchObject({ unknown: 5 });
  expect(
    alignmentOf(
      counts,
      Array.from({ length: mostAlignedCues + 1 }, () => half),
    ),
  ).toBeNull();
});
