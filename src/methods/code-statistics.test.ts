/** Total correlation and divergences of codes against closed forms. */

import { expect, test } from "vitest";
import { aggregateCovariance, codeStatistics, divergences, totalCorrelation } from "./code-statistics.ts";

test("of two normal numbers total correlation is −½ log(1 − ρ²), whatever their scales", () => {
  const of = (rho: number, a: number, b: number) =>
    totalCorrelation(Float64Array.of(a * a, rho * a * b, rho * a * b, b * b), 2);
  expect(of(0, 1, 5)).toBeCloseTo(0, 14);
  for (const rho of [-0.9, 0.3, 0.6]) {
    expect(of(rho, 1, 1)).toBeCloseTo(-Math.log(1 - rho * rho) / 2, 12);
    expect(of(rho, 0.01, 30)).toBeCloseTo(-Math.log(1 - rho * rho) / 2, 12);
  }
});

test("of three equally correlated numbers it is −½ log((1 − ρ)²(1 + 2ρ))", () => {
  const rho = 0.4;
  const covariance = Float64Array.from({ length: 9 }, (_, i) => (i % 4 === 0 ? 1 : rho));
  expect(totalCorrelation(covariance, 3)).toBeCloseTo(-Math.log((1 - rho) ** 2 * (1 + 2 * rho)) / 2, 12);
});

test("codes of a random image have the covariance of means and the mean variance", () => {
  // Means (1, 2) and (3, −2): centre (2, 0), covariance [[1, −2], [−2, 4]].
  const found = aggregateCovariance(Float64Array.of(1, 2, 3, -2), Float64Array.of(0.5, 1, 1.5, 3), 2);
  expect([...found]).toEqual([1 + 1, -2, -2, 4 + 2]);
});

test("a number that is as its prior says nothing; others μ², σ² and −log σ² of it", () => {
  const found = divergences(Float64Array.of(0, 1, 0, -3), Float64Array.of(1, 1, 1, Math.E), 2);
  expect(found[0]).toBe(0);
  expect(found[1]).toBeCloseTo((1 / 2 + (9 + Math.E - 1 - 1) / 2) / 2, 12);
});

test("features become codes by the posterior's weights", () => {
  // One number follows the feature, the other is as its prior: log variances are 0.
  const weights = new Map([
    ["branch/posterior/mean.weight", Float32Array.of(2, 0)],
    ["branch/posterior/mean.bias", Float32Array.of(1, 0)],
    ["branch/posterior/logVariance.weight", Float32Array.of(0, 0)],
    ["branch/posterior/logVariance.bias", Float32Array.of(0, 0)],
  ]);
  const none = new Float32Array(0);
  const outputs = [{ features: Float32Array.of(0, 1), logits: none, losses: none }];
  const { numbers } = codeStatistics({ weights, outputs }, 2);
  // Means 1 and 3: KL ½·1 and ½·9.
  expect(numbers.divergence).toBeCloseTo(2.5, 12);
  expect(numbers.activeDimensions).toBe(1);
  expect(numbers.totalCorrelation).toBeCloseTo(0, 12);
});
