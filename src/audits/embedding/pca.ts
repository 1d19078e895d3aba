/** Principal components by subspace iteration: only the leading ones, of the smaller of both products. */

import type { Random } from "../../core/random.ts";
import { symmetricEigen } from "../../core/symmetric-eigen.ts";

/** Rows of equal width, one after the other. */
export interface FeatureMatrix {
  values: Float64Array;
  count: number;
  width: number;
}

export interface Components {
  mean: Float64Array;
  /** [kept, width]: unit vectors in falling order of variance. */
  axes: Float64Array;
  /** Of each axis, over n − 1. */
  variances: Float64Array;
  kept: number;
  width: number;
  /** Of all axes together. */
  totalVariance: number;
}

/** Further vectors that are carried along: the gap behind them decides how fast the wanted ones settle. */
const carried = 10;
const mostRounds = 500;

/** As many components as asked for, or as there are. NumPy's SVD of the centred rows, up to signs. */
export function principalComponents(rows: FeatureMatrix, wanted: number, random: Random): Components {
  const { count, width } = rows;
  const mean = new Float64Array(width);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < width; j++) mean[j]! += rows.values[i * width + j]! / count;
  const centred = rows.values.map((value, i) => value - mean[i % width]!);
  // XXᵀ and XᵀX have the same eigenvalues; the smaller one is the cheaper.
  const byRows = count < width;
  const size = byRows ? count : width;
  const product = byRows
    ? gram(centred, count, width)
    : gram(transposed(centred, count, width), width, count);
  let trace = 0;
  for (let i = 0; i < size; i++) trace += product[i * size + i]!;
  const { values, vectors } = leading(product, size, Math.min(size, wanted + carried), wanted, random);
  // Directions without variance are rounding.
  let kept = 0;
  while (kept < Math.min(wanted, values.length) && values[kept]! > 1e-12 * trace) kept++;
  const axes = new Float64Array(kept * width);
  for (let k = 0; k < kept; k++) {
    const vector = row(vectors, k, size);
    const axis = row(axes, k, width);
    if (byRows) {
      for (let i = 0; i < count; i++) addScaled(axis, row(centred, i, width), vector[i]!);
      normalise(axis);
    } else axis.set(vector);
    fixSign(axis);
  }
  return {
    mean,
    axes,
    variances: values.slice(0, kept).map((value) => value / (count - 1)),
    kept,
    width,
    totalVariance: trace / (count - 1),
  };
}

/** Coordinates along the components: [count, kept]. */
export function project(
  { values, count, width }: FeatureMatrix,
  { mean, axes, kept }: Components,
): FeatureMatrix {
  const found = new Float64Array(count * kept);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < kept; k++) {
      let sum = 0;
      for (let j = 0; j < width; j++) sum += (values[i * width + j]! - mean[j]!) * axes[k * width + j]!;
      found[i * kept + k] = sum;
    }
  }
  return { values: found, count, width: kept };
}

/**
 * The leading eigenvectors of a symmetric matrix as rows: multiply, turn to the eigenvectors within what is spanned,
 * make orthogonal, until the wanted eigenvalues stand still. Axes of nearly equal variance may be turned among themselves.
 */
function leading(matrix: Float64Array, size: number, block: number, wanted: number, random: Random) {
  let basis: Float64Array = Float64Array.from({ length: block * size }, () => random.normal());
  orthonormalise(basis, block, size);
  let before: Float64Array | undefined;
  for (let round = 1; ; round++) {
    const next = new Float64Array(block * size);
    for (let i = 0; i < size; i++) {
      const line = row(matrix, i, size);
      for (let k = 0; k < block; k++) next[k * size + i] = dot(line, row(basis, k, size));
    }
    const within = new Float64Array(block * block);
    for (let k = 0; k < block; k++) {
      for (let l = 0; l <= k; l++) {
        within[k * block + l] = within[l * block + k] = dot(row(next, k, size), row(basis, l, size));
      }
    }
    const { values, vectors } = symmetricEigen(within, block);
    const settled = before?.every((value, k) => Math.abs(value - values[k]!) <= 1e-10 * values[0]!) ?? false;
    if (settled || block === size || round === mostRounds) {
      return { values, vectors: combined(vectors, basis, block, size) };
    }
    before = values.slice(0, wanted);
    basis = combined(vectors, next, block, size);
    orthonormalise(basis, block, size);
  }
}

/** Each row of `vectors` as a sum of the rows of `basis`. */
function combined(vectors: Float64Array, basis: Float64Array, block: number, size: number): Float64Array {
  const found = new Float64Array(block * size);
  for (let k = 0; k < block; k++) {
    const out = row(found, k, size);
    for (let l = 0; l < block; l++) addScaled(out, row(basis, l, size), vectors[k * block + l]!);
  }
  return found;
}

/** Rounding that is made a unit vector again so often, and still lies among other rows, has no direction of its own. */
const mostPasses = 5;

/**
 * Gram and Schmidt, until a row has next to nothing of those before it: at least twice, since once leaves rounding between rows
 * that were nearly parallel. Where there are fewer directions than rows, as of features that are always 0, the rows beyond
 * them become zeros, and not one of the others again.
 */
function orthonormalise(basis: Float64Array, block: number, size: number): void {
  for (let k = 0; k < block; k++) {
    const vector = row(basis, k, size);
    normalise(vector);
    let settled = false;
    for (let pass = 0; pass < mostPasses && !settled; pass++) {
      for (let l = 0; l < k; l++) addScaled(vector, row(basis, l, size), -dot(vector, row(basis, l, size)));
      settled = normalise(vector) > 0.5 && pass > 0;
    }
    if (!settled) vector.fill(0);
  }
}

/** Products of all pairs of rows. */
function gram(values: Float64Array, count: number, width: number): Float64Array {
  const found = new Float64Array(count * count);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      found[i * count + j] = found[j * count + i] = dot(row(values, i, width), row(values, j, width));
    }
  }
  return found;
}

function transposed(values: Float64Array, count: number, width: number): Float64Array {
  const found = new Float64Array(values.length);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < width; j++) found[j * count + i] = values[i * width + j]!;
  return found;
}

/** An axis and its negative are the same component; the largest entry is made positive, so that pictures do not flip. */
function fixSign(axis: Float64Array): void {
  let largest = 0;
  for (const value of axis) if (Math.abs(value) > Math.abs(largest)) largest = value;
  if (largest < 0) for (let j = 0; j < axis.length; j++) axis[j]! *= -1;
}

function row(values: Float64Array, index: number, width: number): Float64Array {
  return values.subarray(index * width, (index + 1) * width);
}

/** Four sums at a time: one alone would wait for each addition before the next. */
function dot(x: Float64Array, y: Float64Array): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = x.length - (x.length % 4);
  for (let j = 0; j < whole; j += 4) {
    a += x[j]! * y[j]!;
    b += x[j + 1]! * y[j + 1]!;
    c += x[j + 2]! * y[j + 2]!;
    d += x[j + 3]! * y[j + 3]!;
  }
  for (let j = whole; j < x.length; j++) a += x[j]! * y[j]!;
  return a + b + (c + d);
}

function addScaled(out: Float64Array, x: Float64Array, factor: number): void {
  for (let j = 0; j < out.length; j++) out[j]! += factor * x[j]!;
}

/** A row of zeros stays one. Gives the length that it had. */
function normalise(vector: Float64Array): number {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let j = 0; j < vector.length; j++) vector[j]! /= length;
  return length;
}
