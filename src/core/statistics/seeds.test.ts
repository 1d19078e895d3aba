/** Samples of seeds and families of tests against SciPy and statsmodels: test/references/seeds.py made the numbers. */

import { describe, expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import { randomStream } from "../random.ts";
import { lowerGamma } from "./gamma.ts";
import {
  associationOf,
  benjaminiHochberg,
  effectOutcome,
  effectOutcomes,
  equivalenceTest,
  holm,
  meanOverSeeds,
  pairedDifference,
  permutationTest,
  signFlipTest,
  smallestEffect,
  smallestMean,
  studentPower,
  studentQuantile,
  studentTest,
} from "./index.ts";
import { noncentralChiSquareCdf, noncentralityOf } from "./noncentral-chi-square.ts";
import { noncentralUpper } from "./power.ts";

interface MaximumCase {
  observed: number[];
  unadjusted: number[];
  adjusted: number[];
}

interface Reference {
  samples: Record<string, number[]>;
  quantiles: [p: number, degreesOfFreedom: number, t: number][];
  means: {
    values: string;
    t: number;
    pValue: number;
    intervals: [confidence: number, low: number, high: number][];
    equivalence: [margin: number, pValue: number][];
    smallestMargin: number;
  }[];
  paired: {
    first: number[];
    second: number[];
    t: number;
    pValue: number;
    degreesOfFreedom: number;
    low: number;
    high: number;
  }[];
  noncentralUpper: [x: number, degreesOfFreedom: number, noncentrality: number, p: number][];
  power: [effect: number, n: number, alpha: number, power: number][];
  smallest: { n: number; alpha: number; power: number; scipy: number; statsmodels: number | null }[];
  multiple: { pValues: number[]; holm: number[]; benjaminiHochberg: number[] }[];
  flips: (MaximumCase & { rows: number[][] })[];
  shuffles: (MaximumCase & { labels: number[]; columns: number[][] })[];
  lowerGamma: [a: number, x: number, p: number][];
  noncentralChiSquare: [x: number, degreesOfFreedom: number, noncentrality: number, p: number][];
  associations: {
    counts: number[][];
    noncentralities: [number, number];
    interval: [number, number];
    expectedByChance: number;
  }[];
}

const reference = storedReference<Reference>("seeds");

/** 1e-10 relative; absolute below 1e-14, where the reference is the rounding of a difference. */
function expectClose(actual: number | undefined, expected: number, relative = 1e-10): void {
  const error = Math.abs(actual! - expected);
  const message = `${actual} is ${error} off ${expected}`;
  expect(error <= Math.max(relative * Math.abs(expected), 1e-14), message).toBe(true);
}

const keyed = (values: readonly number[]) => values.map((value, key) => ({ key, value }));

describe("Student's t", () => {
  test("quantiles", () => {
    for (const [p, degrees, t] of reference.quantiles) expectClose(studentQuantile(p, degrees), t);
  });

  test("by hand: 1, 2, 3 have mean 2, deviation 1 and t = 2√3; 4.302653 is in every table", () => {
    const { mean, deviation, low, high, n, degreesOfFreedom, t, pValue } = studentTest([1, 2, 3]);
    expect({ mean, deviation, n, degreesOfFreedom }).toEqual({
      mean: 2,
      deviation: 1,
      n: 3,
      degreesOfFreedom: 2,
    });
    expect(t).toBeCloseTo(2 * Math.sqrt(3), 12);
    expect([low, high]).toEqual([2 - 4.302653 / Math.sqrt(3), 2 + 4.302653 / Math.sqrt(3)].map(near(6)));
    // With two degrees of freedom P(|T| > t) = 1 - t/√(2 + t²).
    expect(pValue).toBeCloseTo(1 - t! / Math.sqrt(2 + t! ** 2), 12);
  });

  test.each(reference.means)("the sample $values", ({ values: name, ...expected }) => {
    const values = reference.samples[name]!;
    // Of values near a million with spread 1 the reference's own deviation has lost six digits.
    const relative = name === "far" ? 1e-8 : 1e-10;
    const { t, pValue } = studentTest(values);
    expectClose(t, expected.t, relative);
    expectClose(pValue, expected.pValue, relative);
    for (const [confidence, low, high] of expected.intervals) {
      const found = meanOverSeeds(values, { confidence });
      expectClose(found.low, low, relative);
      expectClose(found.high, high, relative);
    }
    for (const [margin, p] of expected.equivalence) {
      const found = equivalenceTest(values, { margin });
      expectClose(found.pValue, p, 1e-8);
      expectClose(found.smallestMargin, expected.smallestMargin, relative);
      expect(found.equivalent).toBe(margin > found.smallestMargin);
    }
  });

  test.each(reference.paired)("the pairs $first and $second", ({ first, second, ...expected }) => {
    // The other order: pairs are matched by their keys.
    const found = pairedDifference(keyed(first), keyed(second).reverse());
    for (const key of ["t", "pValue", "degreesOfFreedom", "low", "high"] as const)
      expectClose(found[key], expected[key], 1e-9);
    expect(found.unmatched).toEqual({ first: [], second: [] });
  });
});

test("pairs by hand, with what has no partner", () => {
  const first = [
    { key: "a", value: 5 },
    { key: "b", value: 7 },
    { key: "only here", value: 100 },
    { key: "c", value: 9 },
  ];
  const second = [
    { key: "c", value: 6 },
    { key: "b", value: 5 },
    { key: "a", value: 4 },
    { key: "only there", value: -100 },
  ];
  const found = pairedDifference(first, second);
  expect(found).toMatchObject({ mean: 2, deviation: 1, n: 3, degreesOfFreedom: 2 });
  expect(found.differences).toEqual([
    { key: "a", difference: 1 },
    { key: "b", difference: 2 },
    { key: "c", difference: 3 },
  ]);
  expect(found.unmatched).toEqual({ first: ["only here"], second: ["only there"] });
});

describe("power", () => {
  test("the noncentral t", () => {
    for (const [x, degrees, shift, p] of reference.noncentralUpper)
      expectClose(noncentralUpper(x, degrees, shift), p, 1e-9);
  });

  test("of Student's test, and the smallest effect that it sees", () => {
    for (const [effect, n, alpha, power] of reference.power)
      expectClose(studentPower(effect, n, { alpha }), power, 1e-9);
    for (const { n, alpha, power, scipy, statsmodels } of reference.smallest) {
      const found = smallestEffect(n, { alpha, power });
      expectClose(found, scipy, 1e-9);
      // statsmodels' root finder stops at five digits or so.
      if (statsmodels !== null) expectClose(found, statsmodels, 1e-5);
    }
    expect(smallestMean([0.1, 0.2, 0.3])).toBeCloseTo(0.1 * 3.26404355, 7);
  });
});

test.each(reference.multiple)("many p-values", ({ pValues, ...expected }) => {
  expect([...holm(pValues)]).toEqual(expected.holm.map(near(12)));
  expect([...benjaminiHochberg(pValues)]).toEqual(expected.benjaminiHochberg.map(near(12)));
});

test("Holm and Benjamini–Hochberg by hand", () => {
  // 0.01, 0.02, 0.04 of three: Holm times 3, 2, 1, never falling; Benjamini–Hochberg times 3, 3/2, 1.
  expect([...holm([0.04, 0.01, 0.02])]).toEqual([0.04, 0.03, 0.04]);
  expect([...benjaminiHochberg([0.04, 0.01, 0.02])]).toEqual([0.04, 0.03, 0.03]);
  expect([...holm([])]).toEqual([]);
});

describe("maximum statistic", () => {
  const random = () => randomStream(1, "statistics/test").at(0);

  test.each(reference.flips)("all signs of $rows", ({ rows, ...expected }) => {
    const found = signFlipTest(rows, { random: random() });
    expect(found.exact).toBe(true);
    expect([...found.observed]).toEqual(expected.observed.map(near(12)));
    expect([...found.unadjusted]).toEqual(expected.unadjusted.map(near(12)));
    expect([...found.adjusted]).toEqual(expected.adjusted.map(near(12)));
  });

  test.each(reference.shuffles)("random orders are near all orders of $labels", (expected) => {
    const { labels, columns } = expected;
    const meansDiffer = (shuffled: Float64Array) =>
      columns.map((column) => {
        const of = (wanted: number) => column.filter((_, i) => shuffled[i] === wanted);
        const average = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;
        return Math.abs(average(of(1)) - average(of(0)));
      });
    const found = permutationTest(labels, meansDiffer, { random: random(), permutations: 20_000 });
    // Four standard errors of a share of 20,000 are at most 0.0142.
    for (const kind of ["adjusted", "unadjusted"] as const)
      for (const [j, p] of expected[kind].entries())
        expect(Math.abs(found[kind][j]! - p), `${kind} ${j}`).toBeLessThan(0.0142);
    expect(found.rearrangements).toBe(20_001);
  });

  test("three pairs of one sign cannot show more than 1/4", () => {
    expect(signFlipTest([[1], [2], [3]], { random: random() }).adjusted[0]).toBe(0.25);
    expect(signFlipTest([[0], [0]], { random: random() }).adjusted[0]).toBe(1);
  });

  test("labels stay in their stratum, clusters keep one label", () => {
    const labels = [0, 1, 1, 2, 2, 0];
    const strata = [7, 7, 7, 9, 9, 9];
    permutationTest(
      labels,
      (shuffled) => {
        expect(shuffled.slice(0, 3).sort()).toEqual(Float64Array.of(0, 1, 1));
        return [1];
      },
      { random: random(), permutations: 50, strata },
    );
    const clusters = [0, 0, 1, 2, 2, 2];
    const seen = new Set<string>();
    permutationTest(
      [0, 0, 1, 1, 1, 1],
      (shuffled) => {
        expect(shuffled[0]).toBe(shuffled[1]);
        expect(new Set(shuffled.slice(3)).size).toBe(1);
        seen.add(shuffled.join());
        return [1];
      },
      { random: random(), permutations: 50, clusters },
    );
    expect(seen.size).toBe(3);
  });
});

describe("association", () => {
  test("the incomplete gamma function and the noncentral χ²", () => {
    for (const [a, x, p] of reference.lowerGamma) expectClose(lowerGamma(a, x), p, 1e-12);
    for (const [x, degrees, shift, p] of reference.noncentralChiSquare)
      expectClose(noncentralChiSquareCdf(x, degrees, shift), p, 1e-9);
  });

  test.each(reference.associations)("of $counts", ({ counts, ...expected }) => {
    const labels = counts.flatMap((row, i) => row.flatMap((n) => Array<number>(n).fill(i)));
    const values = counts.flatMap((row) => row.flatMap((n, j) => Array<number>(n).fill(j)));
    const random = randomStream(2, "statistics/test").at(0);
    const found = associationOf(labels, values, { random, permutations: 99 });
    expectClose(found.interval!.low, expected.interval[0], 1e-8);
    expectClose(found.interval!.high, expected.interval[1], 1e-8);
    expectClose(found.expectedByChance, expected.expectedByChance);
    expect(found.n).toBe(labels.length);
    // The lower end is 0 just where χ² would not be significant at 2.5%.
    expect(found.pValue < 0.06).toBe(expected.noncentralities[0] > 0);
  });

  test("at no association there is no lower end", () => {
    expect(noncentralityOf(0.1, 3, 0.025)).toBe(0);
  });
});

describe("outcomes", () => {
  const margin = 0.03;

  test("all four, and why", () => {
    const found = effectOutcomes(
      [
        { values: [0.1, 0.11, 0.12], expected: "above" },
        { values: [0.1, 0.11, 0.12], expected: "below" },
        { values: [0.001, -0.001, 0.0005], expected: "above" },
        { values: [0.2, -0.1, 0.05], expected: "above" },
        { values: [0.5], expected: "above" },
      ],
      { margin },
    );
    expect(found.map(({ outcome }) => outcome)).toEqual([
      "seen",
      "contradicted",
      "equivalent",
      "cannot be told",
      "cannot be told",
    ]);
    // Deviation 0.15 of three seeds: 3.264 deviations alone, and 7.320 at a fifth of α as one of five.
    const alone = effectOutcomes([{ values: [0.2, -0.1, 0.05], expected: "above" }], { margin });
    expect(alone[0]!.smallestSeen).toBeCloseTo(0.15 * 3.26404, 5);
    expect(found[3]!.smallestSeen).toBeCloseTo(0.15 * 7.3199, 4);
    expect(found[4]).toMatchObject({ smallestSeen: undefined, pValue: undefined, low: undefined });
  });

  test("a difference below the margin is as good as none, however sure", () => {
    const tiny = { values: [0.0101, 0.01, 0.0099, 0.01005], expected: "above" } as const;
    expect(effectOutcome(tiny, { margin })).toMatchObject({ outcome: "equivalent" });
    expect(effectOutcome(tiny, { margin }).pValue).toBeLessThan(1e-5);
    expect(effectOutcome(tiny, { margin: 0.005 }).outcome).toBe("seen");
  });

  test("a family is judged by Holm, its intervals are not", () => {
    const values = [0.1, 0.16, 0.13];
    const alone = effectOutcome({ values, expected: "above" }, { margin });
    expect(alone.outcome).toBe("seen");
    const many = effectOutcomes(
      Array.from({ length: 10 }, () => ({ values, expected: "above" as const })),
      { margin },
    );
    expect(many[0]!.outcome).toBe("cannot be told");
    expect(many[0]!.adjusted.pValue).toBeCloseTo(10 * alone.pValue!, 12);
    expect([many[0]!.low, many[0]!.pValue]).toEqual([alone.low, alone.pValue]);
  });
});

function near(digits: number): (value: number) => unknown {
  return (value) => expect.closeTo(value, digits) as unknown;
}
