/** Sums that do not lose the small terms among the large, and the centred columns that are made with them. */

import { checkResult, isConstant } from "./checks.ts";

/** The sum, compensated after Neumaier 1974: its error does not grow with the number of values. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  // An overflow makes `lost` NaN; the sum itself says more.
  return Number.isFinite(total) ? total + lost : total;
}

/** The compensated sum of products. */
export function dot(x: Float64Array, y: Float64Array): number {
  return sum(x.map((value, i) => value * y[i]!));
}

/** A column less its mean, as `scale * unit`; the largest unit is near 1, so that no square leaves the doubles. */
export interface Centred {
  mean: number;
  /** A power of two: dividing by it rounds nothing. */
  scale: number;
  unit: Float64Array;
}

/** Throws where the mean or a deviation leaves the doubles. */
export function centred(values: ArrayLike<number>): Centred {
  const mean = checkResult("mean", sum(values) / values.length);
  const unit = Float64Array.from(values);
  // The mean of equal values can be off by its last bit, which must not look like a variance.
  if (isConstant(values)) return { mean: unit[0]!, scale: 1, unit: unit.fill(0) };
  for (let i = 0; i < unit.length; i++) unit[i]! -= mean;
  // The second pass takes off what the mean's rounding left.
  const rest = sum(unit) / unit.length;
  let largest = 0;
  for (let i = 0; i < unit.length; i++) {
    unit[i]! -= rest;
    largest = Math.max(largest, Math.abs(unit[i]!));
  }
  checkResult("distance from the mean", largest);
  // The logarithm of the largest double rounds to 1024.
  const scale = 2 ** Math.min(1023, Math.floor(Math.log2(largest)));
  for (let i = 0; i < unit.length; i++) unit[i]! /= scale;
  return { mean: mean + rest, scale, unit };
}
