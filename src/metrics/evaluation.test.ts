import { describe, expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { accAlpha } from "./acc-alpha.ts";
import { acrossRuns } from "./across-runs.ts";
import { countRows } from "./count-rows.ts";
import type { CountedCell, PredictionCounts } from "./counts.ts";
import { type CueHalves, cueHalves } from "./cue-halves.ts";
import { type Evaluation, evaluationOf, marginsFor, type Question } from "./evaluation.ts";
import { headTailOf } from "./head-tail.ts";
import { meanPerGroup } from "./mean-per-group.ts";
import { trainWeighted } from "./train-weighted.ts";
import { worstGroup } from "./worst-group.ts";

const none = { baselineCorrect: null, bothCorrect: null, train: null };

/** Counts by class and one attribute `a` with values 0, 1, …: label, value, count, correct, training images. */
function counts(classes: number, values: number, cells: readonly (readonly number[])[]): PredictionCounts {
  const names = (n: number) => Array.from({ length: n }, (_, i) => String(i));
  return {
    classNames: names(classes),
    valueNames: new Map([["a", names(values)]]),
    margins: [
      {
        attributes: ["a"],
        cells: cells.map(([label, value, count, correct, train]): CountedCell => {
          return {
            ...none,
            label: label!,
            values: [value!],
            count: count!,
            correct: correct!,
            train: train ?? null,
          };
        }),
      },
    ],
    calibration: null,
  };
}

const byA: Question = {
  grouping: { by: ["class", "a"] },
  cues: [],
  alphas: [],
  betas: [],
};

const only = (metric: typeof meanPerGroup, evaluation: Evaluation) => metric.of(evaluation)[0]!.value;

describe("groups", () => {
  test("an empty one is listed as empty and is no zero", () => {
    const evaluation = evaluationOf(
      counts(2, 2, [
        [0, 0, 4, 4],
        [0, 1, 1, 0],
        [1, 1, 2, 1],
      ]),
      byA,
    );
    expect(evaluation.groups.map(({ name, count }) => [name, count])).toEqual([
      ["class 0, a 0", 4],
      ["class 0, a 1", 1],
      ["class 1, a 0", 0],
      ["class 1, a 1", 2],
    ]);
    expect(only(meanPerGroup, evaluation)).toBeCloseTo((1 + 0 + 0.5) / 3, 12);
    expect(worstGroup.of(evaluation)[0]).toMatchObject({ of: "class 0, a 1", value: 0, count: 1 });
  });

  test("need not tell classes apart, nor attributes", () => {
    const table = counts(2, 2, [
      [0, 0, 4, 4],
      [0, 1, 1, 0],
      [1, 1, 2, 1],
    ]);
    const grouped = (byClass: boolean) =>
      evaluationOf(table, { ...byA, grouping: { by: byClass ? ["class", "a"] : ["a"] } }).groups;
    expect(grouped(false).map(({ name, count, correct }) => [name, count, correct])).toEqual([
      ["a 0", 4, 4],
      ["a 1", 3, 1],
    ]);
  });

  test("of a hundred million, the few that occur are kept", () => {
    const cues = ["a", "b", "c", "d", "e", "f", "g"];
    const valueNames = Array.from({ length: 10 }, (_, i) => String(i));
    const column = (cue: number) =>
      Uint16Array.from({ length: 3000 }, (_, i) => (i * (cue + 3) + (i >> cue)) % 10);
    const labels = column(0);
    const attributes = Object.fromEntries(cues.map((name, i) => [name, { values: column(i), valueNames }]));
    const grouping = { by: ["class", ...cues] };
    const rows = { classNames: valueNames, labels, predicted: labels, attributes };
    const evaluation = evaluationOf(countRows(rows, marginsFor({ grouping, cues })), { ...byA, grouping });
    const keys = Array.from(labels, (label, i) =>
      [label, ...cues.map((cue) => attributes[cue]!.values[i])].join(),
    );
    expect(evaluation.nominalGroups).toBe(1e8);
    expect(evaluation.groups).toHaveLength(new Set(keys).size);
    expect(evaluation.groups.reduce((sum, { count }) => sum + count, 0)).toBe(3000);
  });

  test("overlap where attributes are yes or no: an image is in several groups, or in none", () => {
    const yesNo = ["0", "1"];
    const rows = {
      classNames: ["calm", "toxic"],
      labels: [0, 0, 1, 1],
      predicted: [0, 1, 1, 0],
      attributes: {
        female: { values: Uint16Array.of(1, 1, 0, 0), valueNames: yesNo },
        muslim: { values: Uint16Array.of(0, 1, 1, 0), valueNames: yesNo },
      },
    };
    const grouping = { by: ["class", "female", "muslim"], overlapping: true };
    const evaluation = evaluationOf(countRows(rows, marginsFor({ grouping, cues: [] })), {
      ...byA,
      grouping,
    });
    expect(evaluation.groups.map(({ name, count, correct }) => [name, count, correct])).toEqual([
      ["class calm, female yes", 2, 1],
      ["class toxic, female yes", 0, 0],
      ["class calm, muslim yes", 1, 0],
      ["class toxic, muslim yes", 1, 1],
    ]);
    expect(evaluation.all).toMatchObject({ count: 4, correct: 2 });
    rows.attributes.female.valueNames = ["0", "0.4"];
    expectError(
      () => evaluationOf(countRows(rows, marginsFor({ grouping, cues: [] })), { ...byA, grouping }),
      "input",
      'column "female"',
      '"0.4"',
    );
  });
});

describe("Acc(α)", () => {
  const table = counts(1, 3, [
    [0, 0, 10, 9, 900],
    [0, 1, 10, 5, 90],
    [0, 2, 10, 2, 10],
  ]);
  const at = (...alphas: number[]) =>
    accAlpha.of(evaluationOf(table, { ...byA, alphas })).map(({ value }) => value!);

  test("runs from the rarest group over the mean to the most frequent one", () => {
    const [rarest, mean, train, frequent] = at(-40, 0, 1, 40);
    expect(rarest).toBeCloseTo(0.2, 10);
    expect(mean).toBeCloseTo((0.9 + 0.5 + 0.2) / 3, 12);
    expect(train).toBeCloseTo(0.9 * 0.9 + 0.09 * 0.5 + 0.01 * 0.2, 12);
    expect(train).toBeCloseTo(only(trainWeighted, evaluationOf(table, byA))!, 12);
    expect(frequent).toBeCloseTo(0.9, 10);
  });

  test("grows with α where frequent groups do better", () => {
    const curve = at(-1, -0.5, 0, 0.5, 1, 1.5, 2);
    expect(curve).toEqual(curve.toSorted((a, b) => a - b));
  });

  test("is not defined below 0 where a group has no training images", () => {
    const untrained = counts(1, 3, [
      [0, 0, 10, 9, 900],
      [0, 1, 10, 5, 90],
      [0, 2, 10, 2, 0],
    ]);
    const scores = accAlpha.of(evaluationOf(untrained, { ...byA, alphas: [-1, 0, 1] }));
    expect(scores.map(({ value }) => value)).toEqual([
      null,
      expect.closeTo((0.9 + 0.5 + 0.2) / 3, 12),
      expect.closeTo((900 * 0.9 + 90 * 0.5) / 990, 12),
    ]);
  });

  test("passes over groups that only training has", () => {
    const empty = counts(1, 2, [
      [0, 0, 10, 9, 900],
      [0, 1, 0, 0, 90],
    ]);
    const scores = accAlpha.of(evaluationOf(empty, { ...byA, alphas: [-1, 1] }));
    expect(scores.map(({ value }) => value)).toEqual([0.9, 0.9]);
  });
});

describe("majority and minority", () => {
  const halves = ({ majority, minority, unknown }: CueHalves) => [
    [majority.correct, majority.count],
    [minority.correct, minority.count],
    unknown,
  ];

  test("by the value that goes with each class; classes without one are in neither half", () => {
    const table = counts(3, 2, [
      [0, 0, 5, 4],
      [0, 1, 5, 1],
      [1, 0, 3, 3],
      [1, 1, 2, 0],
      [2, 0, 7, 7],
    ]);
    const rule = { by: "values", values: ["1", "0", undefined] } as const;
    expect(halves(cueHalves(table, "a", rule))).toEqual([[1 + 3, 5 + 3], [4 + 0, 5 + 2], 7]);
  });

  test("by a column that says so", () => {
    const table = counts(1, 2, [
      [0, 0, 5, 4],
      [0, 1, 4, 1],
    ]);
    expect(halves(cueHalves(table, "colour", { by: "column", column: "a" }))).toEqual([[1, 4], [4, 5], 0]);
  });
});

test("head and tail: more rare answers as β grows, none lost", () => {
  // Two local groups; answers 10, 5, 3, 2 (mean 5) and 4, 4 (mean 4).
  const table = counts(6, 2, [
    [0, 0, 10, 10],
    [1, 0, 5, 5],
    [2, 0, 3, 0],
    [3, 0, 2, 0],
    [4, 1, 4, 2],
    [5, 1, 4, 1],
  ]);
  const sizes = [-0.5, 0, 0.2, 1].map((beta) => {
    const { head, tail } = headTailOf(table, "a", beta);
    return [head.count, tail.count];
  });
  // Limits 2.5 and 2; 5 and 4; 6 and 4.8; 10 and 8.
  expect(sizes).toEqual([
    [26, 2],
    [10, 18],
    [10, 18],
    [0, 28],
  ]);
});

describe("several runs", () => {
  const score = (value: number | null, of: string | null = null) => ({
    of,
    value,
    interval: null,
    count: 10,
  });

  test("the mean, its standard error and Student's interval", () => {
    // Standard deviation of 0.4, 0.5, 0.9 is √(0.14/2) = 0.264575; over √3: 0.152753.
    const [result] = acrossRuns([[score(0.4)], [score(0.5)], [score(0.9)]]);
    expect(result!.value).toBeCloseTo(0.6, 12);
    expect(result!.standardError).toBeCloseTo(0.152753, 6);
    // t of two degrees of freedom is 4.302653: 0.6 ± 0.657242, which a share may leave; it is not cut off.
    expect(result!.interval).toEqual({
      low: expect.closeTo(-0.057242, 5),
      high: expect.closeTo(1.257242, 5),
    });
    expect(result).toMatchObject({ values: [0.4, 0.5, 0.9], count: 30, over: "seeds", runs: 3 });
  });

  test("worst groups of different names are one score, under the name most runs say", () => {
    const runs = [[score(0.1, "x")], [score(0.2, "y")], [score(0.3, "y")]];
    expect(acrossRuns(runs)).toMatchObject([{ of: "y", value: expect.closeTo(0.2, 12) }]);
  });

  test("groups are matched by name, and one that is empty in a run does not count there", () => {
    const runs = [
      [score(0.1, "x"), score(null, "y")],
      [score(0.6, "y"), score(0.3, "x")],
    ];
    expect(acrossRuns(runs)).toMatchObject([
      { of: "x", value: 0.2, standardError: expect.closeTo(0.1, 12) },
      { of: "y", value: 0.6, standardError: null, interval: null, runs: 1 },
    ]);
  });
});
