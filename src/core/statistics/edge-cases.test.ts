/** What the statistics do where there is little or nothing to compute. */

import { describe, expect, test } from "vitest";
import { expectError } from "../../../test/helpers/errors.ts";
import { randomStream } from "../random.ts";
import {
  averageRanks,
  type BootstrapOptions,
  bootstrapInterval,
  cramersV,
  kendall,
  linearRegression,
  mean,
  mutualInformation,
  normalCdf,
  normalisedMutualInformation,
  normalQuantile,
  pearson,
  quantile,
  spearman,
  standardDeviation,
  standardError,
  variance,
  wilsonInterval,
} from "./index.ts";

const random = () => randomStream(3, "edge cases").at(0);
const pairStatistics = { pearson, spearman, kendall, linearRegression };

describe.each(Object.entries({ mean, variance, standardDeviation, standardError }))("%s", (_, statistic) => {
  test("too few values", () => expectError(() => statistic([]), "input", "too few values", "got: 0"));
  test.each([Number.NaN, Infinity, -Infinity])("%f among the values", (bad) => {
    expectError(() => statistic([1, 2, bad, 4]), "input", "values[2] is not finite", `got: ${bad}`);
  });
  test("a hole among the values", () => {
    expectError(
      () => statistic([1, undefined, 4] as unknown as number[]),
      "input",
      "values[1]",
      "got: undefined",
    );
  });
});

describe.each(Object.entries(pairStatistics))("%s", (_, statistic) => {
  test("lengths differ", () => {
    expectError(() => statistic([1, 2, 3], [1, 2]), "input", "differ in length", "3 and 2");
  });
  test("two pairs", () => {
    expectError(() => statistic([1, 2], [1, 2]), "input", "too few x", "at least 3", "got: 2");
  });
  test("a constant column, also one whose mean rounds", () => {
    expectError(() => statistic([0.1, 0.1, 0.1], [1, 2, 3]), "input", "x is constant", "3 times 0.1");
    expectError(() => statistic([1, 2, 3], [7, 7, 7]), "input", "y is constant");
  });
  test("NaN in a column", () => {
    expectError(() => statistic([1, 2, 3], [1, Number.NaN, 3]), "input", "y[1] is not finite");
  });
});

describe("spread", () => {
  test("one value is a population but no sample", () => {
    expect(variance([5], { population: true })).toBe(0);
    expectError(() => variance([5]), "input", "at least 2", "got: 1");
  });
  test("equal values have exactly no spread", () => {
    expect(variance(new Float64Array(49).fill(0.1))).toBe(0);
    expect(standardDeviation(new Float64Array(49).fill(-1e300))).toBe(0);
  });
  test("a small spread far from 0", () => {
    expect(variance([1e15 + 1, 1e15 + 2, 1e15 + 3])).toBe(1);
    // Doubles are 2 apart here, so the mean 1e16 + 4/3 is none of them.
    expect(variance([1e16, 1e16 + 2, 1e16 + 2])).toBeCloseTo(4 / 3, 14);
  });
  test("small terms among large ones", () => {
    expect(mean([1e16, 1, -1e16, 1])).toBe(0.5);
  });
  test("sums and squares beyond the doubles", () => {
    expectError(() => mean([1.7e308, 1.7e308]), "input", "mean is too large", "Infinity");
    expectError(() => variance([1e200, -1e200]), "input", "variance is too large");
    expectError(() => pearson([1.7e308, 1.7e308, 1], [1, 2, 3]), "input", "too large");
    expectError(() => standardDeviation([1.7e308, -1.7e308, -1.7e308]), "input", "too large");
    expectError(() => quantile([1.7e308, -1.7e308], 0.5), "input", "too large");
    expect(standardDeviation([1e200, -1e200], { population: true })).toBe(1e200);
    const largest = Number.MAX_VALUE;
    const spread = standardDeviation([largest, -largest / 2, -largest / 2], { population: true });
    expect(spread / largest).toBeCloseTo(Math.SQRT1_2, 15);
    expect(pearson([1e308, 0, -1e308], [1, 0, -1]).r).toBe(1);
  });
});

describe("quantile", () => {
  test("single value", () => expect(quantile([4], 0.3)).toBe(4));
  test("no such p", () => {
    for (const p of [-0.1, 1.1, Number.NaN])
      expectError(() => quantile([1], p), "usage", "0 to 1", `got: ${p}`);
  });
  test("leaves its input as it was", () => {
    const values = [3, 1, 2];
    expect(quantile(values, 0.5)).toBe(2);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe("perfect correlation", () => {
  const x = [1, 2, 3, 4, 5];
  const rising = [3, 5, 7, 9, 11];
  const curved = [1, 8, 27, 64, 125];
  test("pearson", () => {
    expect(pearson(x, rising)).toEqual({ r: 1, pValue: 0, low: 1, high: 1 });
    expect(pearson(x, rising.toReversed())).toEqual({ r: -1, pValue: 0, low: -1, high: -1 });
  });
  test("three pairs say nothing of their r", () => {
    expect(pearson([1, 2, 3], [2, 4, 6])).toEqual({ r: 1, pValue: 0, low: -1, high: 1 });
  });
  test("spearman", () => {
    expect(spearman(x, curved)).toEqual({ rho: 1, pValue: 0 });
    expect(spearman(x, curved.toReversed())).toEqual({ rho: -1, pValue: 0 });
  });
  test("kendall", () => {
    expect(kendall(x, curved).tau).toBe(1);
    expect(kendall(x, curved.toReversed()).tau).toBe(-1);
  });
  test("linear regression", () => {
    const { slope, intercept, pValue, slopeStandardError, interceptStandardError } = linearRegression(
      x,
      rising,
    );
    expect([slope, intercept, pValue, slopeStandardError, interceptStandardError]).toEqual([2, 1, 0, 0, 0]);
  });
  test("a p-value below the doubles is 0", () => {
    const long = Array.from({ length: 1000 }, (_, i) => i);
    expect(
      pearson(
        long,
        long.map((v) => v + (v % 2)),
      ).pValue,
    ).toBe(0);
  });
  test("ranks of nothing", () => expect(averageRanks([])).toHaveLength(0));
});

describe("normal distribution", () => {
  test("ends", () => {
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(0.5)]).toEqual([-Infinity, Infinity, 0]);
    expect([normalCdf(-Infinity), normalCdf(Infinity)]).toEqual([0, 1]);
  });
  test("errors", () => {
    expectError(() => normalCdf(Number.NaN), "input", "NaN");
    for (const p of [-1e-300, 1.0000001, Number.NaN])
      expectError(() => normalQuantile(p), "usage", `got: ${p}`);
  });
});

describe("wilsonInterval", () => {
  test("no success and no failure give ends of exactly 0 and 1", () => {
    for (const n of [1, 7, 1000, 12_345]) {
      expect(wilsonInterval(0, n, 0.9).low).toBe(0);
      expect(wilsonInterval(n, n, 0.9).high).toBe(1);
    }
  });
  test("errors", () => {
    expectError(() => wilsonInterval(0, 0), "input", "without trials", "got: 0");
    expectError(() => wilsonInterval(4, 3), "input", "from 0 to 3", "got: 4");
    expectError(() => wilsonInterval(-1, 3), "input", "got: -1");
    expectError(() => wilsonInterval(1.5, 3), "input", "got: 1.5");
    expectError(() => wilsonInterval(1, Number.NaN), "input", "got: NaN");
    for (const confidence of [0, 1, 95]) expectError(() => wilsonInterval(1, 3, confidence), "usage", "0.95");
  });
});

describe("bootstrapInterval", () => {
  const values = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82];

  test.each(["percentile", "bca"] as const)("%s of a mean is near the normal interval", (method) => {
    const source = random();
    const sample = Float64Array.from({ length: 400 }, () => source.normal());
    const { low, high } = bootstrapInterval(sample, mean, { random: random(), method });
    // 10,000 resamples place the 2.5 % quantile within about 3 % of a standard error; three times that is allowed,
    // and as much again for the skewness of 400 values.
    const error = standardError(sample);
    expect(Math.abs(low - (mean(sample) - 1.96 * error))).toBeLessThan(0.2 * error);
    expect(Math.abs(high - (mean(sample) + 1.96 * error))).toBeLessThan(0.2 * error);
  });
  test("equal random numbers give equal intervals, others do not", () => {
    const interval = () => bootstrapInterval(values, mean, { random: random(), resamples: 500 });
    expect(interval()).toEqual(interval());
    const other = randomStream(4, "edge cases").at(0);
    expect(bootstrapInterval(values, mean, { random: other, resamples: 500 })).not.toEqual(interval());
  });
  test("equal values give a point", () => {
    expect(bootstrapInterval([1, 1, 1], mean, { random: random() })).toEqual({ low: 1, high: 1 });
  });
  test("errors", () => {
    const options: BootstrapOptions = { random: random(), resamples: 100 };
    expectError(() => bootstrapInterval([1], mean, options), "input", "too few values");
    expectError(() => bootstrapInterval([1, Infinity], mean, options), "input", "values[1]");
    expectError(() => bootstrapInterval(values, mean, { ...options, confidence: 1 }), "usage", "confidence");
    const few: BootstrapOptions = { ...options, resamples: 39 };
    expectError(() => bootstrapInterval(values, mean, few), "usage", "at least 40", "got: 39");
    expectError(() => bootstrapInterval(values, () => Number.NaN, options), "input", "resample 0", "NaN");
  });
  test("BCa says when it is not defined", () => {
    const options: BootstrapOptions = { random: random(), resamples: 100 };
    const own = values.join();
    const odd = (sample: Float64Array) => (sample.join() === own ? 99 : mean(sample));
    expectError(
      () => bootstrapInterval(values, odd, options),
      "input",
      "on one side",
      'method: "percentile"',
    );
    expectError(
      () => bootstrapInterval([1, 2, 2, 3], (s) => quantile(s, 0.5), options),
      "input",
      "never changes",
    );
  });
});

describe("contingency tables", () => {
  test("an empty row or column counts for nothing", () => {
    const table = [
      [12, 5, 9],
      [3, 17, 8],
    ];
    const padded = [[0, 0, 0, 0], ...table.map((row) => [...row, 0])];
    expect(cramersV(padded)).toBe(cramersV(table));
    expect(cramersV(padded, { biasCorrection: true })).toBe(cramersV(table, { biasCorrection: true }));
    expect(mutualInformation(padded)).toBe(mutualInformation(table));
    expect(normalisedMutualInformation(padded)).toBe(normalisedMutualInformation(table));
  });
  test("a single row tells nothing", () => {
    expect(mutualInformation([[3, 4]])).toBe(0);
    expect(normalisedMutualInformation([[3, 4]])).toBe(0);
    expectError(
      () =>
        cramersV([
          [3, 4],
          [0, 0],
        ]),
      "input",
      "1 × 2",
    );
    expectError(() => normalisedMutualInformation([[3, 0]]), "input", "single cell");
  });
  test.each([cramersV, mutualInformation, normalisedMutualInformation])(
    "$name refuses bad counts",
    (measure) => {
      expectError(() => measure([]), "input", "empty", "0 × 0");
      expectError(() => measure([[0, 0]]), "input", "empty", "1 × 2");
      expectError(() => measure([[1, 2], [3]]), "input", "row 1", "2 columns", "got: 1");
      expectError(
        () =>
          measure([
            [1, 2],
            [3, -1],
          ]),
        "input",
        "counts[1][1] is negative",
        "got: -1",
      );
      expectError(
        () =>
          measure([
            [1, Number.NaN],
            [3, 1],
          ]),
        "input",
        "counts[0][1] is not finite",
      );
    },
  );
  test("too few observations for the bias correction", () => {
    expectError(
      () =>
        cramersV(
          [
            [1, 0],
            [0, 1],
          ],
          { biasCorrection: true },
        ),
      "input",
      "more than 2",
      "got: 2",
    );
  });
});

test("the quantile of the usual confidence that is written down is the one that would be computed", () => {
  const written = wilsonInterval(3, 10);
  wilsonInterval(3, 10, 0.9);
  expect(wilsonInterval(3, 10)).toEqual(written);
});
