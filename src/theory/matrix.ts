/** Linear algebra of a handful of dimensions: what the theory's formulas and the sampler need, no more. */

import { CuelabError } from "../core/errors.ts";
import { symmetricEigen } from "../core/symmetric-eigen.ts";

export type Vector = readonly number[];
/** Row by row. */
export type RealMatrix = readonly Vector[];

export function scaledIdentity(size: number, scale = 1): RealMatrix {
  return Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j ? scale : 0)),
  );
}

export function dot(x: Vector, y: Vector): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}

export function length(x: Vector): number {
  return Math.hypot(...x);
}

export function transpose(matrix: RealMatrix): RealMatrix {
  return matrix[0]!.map((_, column) => matrix.map((row) => row[column]!));
}

export function timesVector(matrix: RealMatrix, x: Vector): Vector {
  return matrix.map((row) => dot(row, x));
}

export function product(a: RealMatrix, b: RealMatrix): RealMatrix {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
}

export function scaled(matrix: RealMatrix, factor: number): RealMatrix {
  return matrix.map((row) => row.map((value) => factor * value));
}

export function sum(a: RealMatrix, b: RealMatrix): RealMatrix {
  return a.map((row, i) => row.map((value, j) => value + b[i]![j]!));
}

/** x xᵀ. */
export function outer(x: Vector): RealMatrix {
  return x.map((value) => x.map((other) => value * other));
}

/** xᵀ A x. */
export function quadratic(matrix: RealMatrix, x: Vector): number {
  return dot(x, timesVector(matrix, x));
}

/** M Σ Mᵀ, the covariance of M z. */
export function congruent(matrix: RealMatrix, covariance: RealMatrix): RealMatrix {
  return product(product(matrix, covariance), transpose(matrix));
}

/** Σ of independent parts side by side. */
export function blockDiagonal(a: RealMatrix, b: RealMatrix): RealMatrix {
  return [...a.map((row) => [...row, ...b.map(() => 0)]), ...b.map((row) => [...a.map(() => 0), ...row])];
}

/** The lower triangle L with L Lᵀ = A; refuses what is not symmetric and positive definite. */
export function cholesky(matrix: RealMatrix, name = "the matrix"): RealMatrix {
  const size = matrix.length;
  const lower = matrix.map((row) => row.map(() => 0));
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      if (Math.abs(matrix[i]![j]! - matrix[j]![i]!) > 1e-9 * (1 + Math.abs(matrix[i]![j]!)))
        throw notPositive(name, matrix);
      let rest = matrix[i]![j]!;
      for (let k = 0; k < j; k++) rest -= lower[i]![k]! * lower[j]![k]!;
      if (i !== j) lower[i]![j] = rest / lower[j]![j]!;
      else if (rest > 0) lower[i]![i] = Math.sqrt(rest);
      else throw notPositive(name, matrix);
    }
  }
  return lower;
}

/** The x with A x = b, for a symmetric and positive definite A. */
export function solve(matrix: RealMatrix, b: Vector): Vector {
  const lower = cholesky(matrix);
  const size = b.length;
  const x = [...b];
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i]![k]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i]! -= lower[k]![i]! * x[k]!;
    x[i]! /= lower[i]![i]!;
  }
  return x;
}

/** In falling order. */
export function symmetricEigenvalues(matrix: RealMatrix): Vector {
  return [...symmetricEigen(matrix.flat(), matrix.length).values];
}

/** The largest factor by which M stretches a vector: the Lipschitz constant of z → M z. */
export function spectralNorm(matrix: RealMatrix): number {
  return Math.sqrt(Math.max(0, symmetricEigenvalues(product(transpose(matrix), matrix))[0]!));
}

export function frobeniusNorm(matrix: RealMatrix): number {
  return Math.hypot(...matrix.flat());
}

function notPositive(name: string, matrix: RealMatrix): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${name} is no covariance`,
    expected: "a symmetric and positive definite matrix",
    got: matrix.map((row) => row.join(",")).join(";"),
  });
}
