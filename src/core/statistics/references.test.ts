/** Every statistic against NumPy and SciPy: test/references/scipy_statistics.py made the numbers. */

import { describe, expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import { intervalOfResampled } from "./bootstrap.ts";
import { studentTwoSided } from "./distributions.ts";
import {
  averageRanks,
  type Counts,
  cramersV,
  type Interval,
  kendall,
  type LinearRegression,
  linearRegression,
  mean,
  mutualInformation,
  normalCdf,
  normalisedMutualInformation,
  normalQuantile,
  type PearsonResult,
  pearson,
  quantile,
  type Statistic,
  spearman,
  standardDeviation,
  standardError,
  variance,
  wilsonInterval,
} from "./index.ts";

interface Reference {
  columns: Record<string, number[]>;
  summary: {
    values: string;
    mean: number;
    variance: number | null;
    populationVariance: number | null;
    standardDeviation: number;
    populationStandardDeviation: number;
    standardError: number;
    quantiles: [p: number, quantile: number][];
    ranks: number[] | null;
  }[];
  pairs: {
    x: string;
    y: string;
    pearson: Pick<PearsonResult, "r" | "pValue"> & {
      intervals: [confidence: number, low: number, high: number][];
    };
    spearman: { rho: number; pValue: number };
    kendall: { tau: number; pValue: number };
    regression: LinearRegression;
  }[];
  normalCdf: [x: number, p: number][];
  normalQuantile: [p: number, x: number][];
  studentTwoSided: [t: number, degreesOfFreedom: number, p: number][];
  wilson: [successes: number, n: number, confidence: number, low: number, high: number][];
  bootstrap: {
    values: string;
    statistic: keyof typeof statistics;
    confidence: number;
    resampled: number[];
    percentile: [number, number];
    bca: [number, number];
  }[];
  tables: {
    counts: Counts;
    cramersV: number;
    cramersVCorrected: number;
    mutualInformation: number;
    normalisedMutualInformation: number;
  }[];
}

const statistics = {
  mean,
  median: (sample) => quantile(sample, 0.5),
  standardDeviation: (sample) => standardDeviation(sample),
} satisfies Record<string, Statistic>;

const reference = storedReference<Reference>("scipy_statistics");

function column(name: string): number[] {
  return reference.columns[name]!;
}

/** 1e-9 relative; near 0 absolute, where the reference itself is the rounding of a difference of numbers near 1. */
function expectClose(actual: number, expected: number, nearZero = 1e-14): void {
  const error = Math.abs(actual - expected);
  const message = `${actual} is ${error} off ${expected}`;
  expect(error <= Math.max(1e-9 * Math.abs(expected), nearZero), message).toBe(true);
}

/** Probabilities matter by their ratio down to the last normal double; below it SciPy gives 0 or loses digits. */
function expectProbability(actual: number, expected: number): void {
  expectClose(actual, expected, 1e-305);
}

function expectInterval(actual: Interval, [low, high]: [low: number, high: number]): void {
  expectClose(actual.low, low);
  expectClose(actual.high, high);
}

describe("summary", () => {
  test.each(reference.summary)("of $values", (expected) => {
    const values = column(expected.values);
    expectClose(mean(values), expected.mean);
    expectClose(standardDeviation(values), expected.standardDeviation);
    expectClose(standardDeviation(values, { population: true }), expected.populationStandardDeviation);
    expectClose(standardError(values), expected.standardError);
    for (const [p, value] of expected.quantiles) expectClose(quantile(values, p), value);
    if (expected.ranks) expect([...averageRanks(values)]).toEqual(expected.ranks);
    if (expected.variance === null || expected.populationVariance === null) {
      expect(() => variance(values)).toThrow("too large for a double");
      return;
    }
    expectClose(variance(values), expected.variance);
    expectClose(variance(values, { population: true }), expected.populationVariance);
  });

  test("typed arrays give what plain arrays give", () => {
    const values = column("ten");
    expect(variance(Float32Array.from(values))).toBe(variance(values));
    expect(quantile(Uint8Array.from(values), 0.3)).toBe(quantile(values, 0.3));
  });
});

describe.each(reference.pairs)("$x with $y", ({ x, y, ...expected }) => {
  test("pearson", () => {
    for (const [confidence, low, high] of expected.pearson.intervals) {
      const actual = pearson(column(x), column(y), { confidence });
      expectClose(actual.r, expected.pearson.r);
      expectProbability(actual.pValue, expected.pearson.pValue);
      expectInterval(actual, [low, high]);
    }
  });

  test("spearman", () => {
    const actual = spearman(column(x), column(y));
    expectClose(actual.rho, expected.spearman.rho);
    expectProbability(actual.pValue, expected.spearman.pValue);
  });

  test("kendall", () => {
    const actual = kendall(column(x), column(y));
    expectClose(actual.tau, expected.kendall.tau);
    expectProbability(actual.pValue, expected.kendall.pValue);
  });

  test("linear regression", () => {
    const actual = linearRegression(column(x), column(y));
    const { pValue, slope, slopeStandardError, ...others } = expected.regression;
    expectProbability(actual.pValue, pValue);
    // The slope of the huge columns is 1e-20, and no less precise for it.
    expectClose(actual.slope, slope, 0);
    expectClose(actual.slopeStandardError, slopeStandardError, 0);
    for (const key of Object.keys(others) as (keyof typeof others)[]) expectClose(actual[key], others[key]);
  });
});

test("distributions", () => {
  for (const [x, p] of reference.normalCdf) expectProbability(normalCdf(x), p);
  for (const [p, x] of reference.normalQuantile) expectClose(normalQuantile(p), x);
  for (const [t, degrees, p] of reference.studentTwoSided) expectProbability(studentTwoSided(t, degrees), p);
});

test("wilsonInterval", () => {
  for (const [successes, n, confidence, low, high] of reference.wilson) {
    expectInterval(wilsonInterval(successes, n, confidence), [low, high]);
  }
});

test.each(reference.bootstrap)("bootstrap of the $statistic of $values", (expected) => {
  const { resampled, confidence } = expected;
  for (const method of ["percentile", "bca"] as const) {
    const actual = intervalOfResampled(resampled, column(expected.values), statistics[expected.statistic], {
      confidence,
      method,
    });
    expectInterval(actual, expected[method]);
  }
});

test.each(reference.tables)("table $counts", ({ counts, ...expected }) => {
  expectClose(cramersV(counts), expected.cramersV);
  expectClose(cramersV(counts, { biasCorrection: true }), expected.cramersVCorrected);
  expectClose(mutualInformation(counts), expected.mutualInformation);
  expectClose(normalisedMutualInformation(counts), expected.normalisedMutualInformation);
});
