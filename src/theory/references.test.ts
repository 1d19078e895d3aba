/** Linear algebra and logistic regression against NumPy and PyTorch: test/references/line_theory.py made the numbers. */

import { describe, expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import { randomStream } from "../core/random.ts";
import { paperWorld, shifted, type World } from "./domain.ts";
import { fitLogistic } from "./logistic.ts";
import { cholesky, scaledIdentity, solve, spectralNorm, symmetricEigenvalues } from "./matrix.ts";
import { drawSample } from "./sample.ts";

interface Reference {
  regressions: { rows: number[][]; labels: number[]; ridge: number | number[]; weights: number[] }[];
  matrices: {
    square: number[][];
    positive: number[][];
    b: number[];
    spectralNorm: number;
    eigenvalues: number[];
    cholesky: number[][];
    solution: number[];
  }[];
}

const reference = storedReference<Reference>("line_theory");

// Doubles in another order of operations.
const close = (found: readonly number[], expected: readonly number[], tolerance = 1e-11) => {
  expect(found.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(tolerance);
};

test.each(reference.matrices)("NumPy's decompositions of $square", (expected) => {
  close([spectralNorm(expected.square)], [expected.spectralNorm]);
  close(symmetricEigenvalues(expected.positive), expected.eigenvalues);
  close(cholesky(expected.positive).flat(), expected.cholesky.flat());
  close(solve(expected.positive, expected.b), expected.solution, 1e-9);
});

test("what is no covariance is refused", () => {
  expect(() =>
    cholesky(
      [
        [1, 2],
        [2, 1],
      ],
      "Σ",
    ),
  ).toThrow(/Σ is no covariance/);
  expect(() =>
    cholesky([
      [1, 0.5],
      [0.2, 1],
    ]),
  ).toThrow(/symmetric/);
});

describe("logistic regression", () => {
  test.each(reference.regressions)("PyTorch's optimum under ridge $ridge", (expected) => {
    const sample = {
      count: expected.rows.length,
      width: expected.rows[0]!.length,
      rows: Float64Array.from(expected.rows.flat()),
      labels: Int8Array.from(expected.labels),
    };
    // PyTorch stops at gradients of 1e-13; weights follow with the curvature's scale.
    close(fitLogistic(sample, { ridge: expected.ridge }), expected.weights, 1e-6);
  });

  test("for Gaussian classes of one covariance: 2Σ⁻¹μ, the log-odds' weights", () => {
    const world: World = {
      ...paperWorld,
      meanGeneral: [0.5, 0.2],
      covarianceGeneral: [
        [1, 0.3],
        [0.3, 2],
      ],
      meanSpurious: [0.4],
      covarianceSpurious: [[0.5]],
    };
    const count = 40_000;
    const sample = drawSample(world, shifted(scaledIdentity(1)), count, randomStream(5, "test").at(0));
    const found = fitLogistic(sample, { ridge: 0 });
    const expected = [...solve(world.covarianceGeneral, world.meanGeneral), 0.4 / 0.5].map((w) => 2 * w);
    // Standard errors are near √(5 / (count · variance)) ≤ 0.016 for the smallest variance: four of them.
    close(found, expected, 0.064);
  });

  test("rows that a line parts have no optimum without a ridge, and say so", () => {
    const sample = { count: 2, width: 1, rows: Float64Array.from([1, -1]), labels: Int8Array.from([1, -1]) };
    expect(() => fitLogistic(sample, { ridge: 0 })).toThrow(/ridge above 0/);
    expect(fitLogistic(sample, { ridge: 1 })[0]).toBeGreaterThan(0);
  });
});
