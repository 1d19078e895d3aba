/** One number for many: mean, spread and quantiles. */

import { checkResult, checkValues, usageError } from "./checks.ts";
import { centred, dot, sum } from "./sums.ts";

interface SpreadOptions {
  /** True divides by n (the values are the whole population), false by n - 1 (they are a sample of it). */
  population?: boolean;
}

/** The arithmetic mean; needs one value. NumPy's `mean`. */
export function mean(values: ArrayLike<number>): number {
  checkValues("values", values, 1);
  return checkResult("mean", sum(values) / values.length);
}

/** The mean squared deviation, over n - 1 unless `population`; needs two values, or one. NumPy's `var`. */
export function variance(values: ArrayLike<number>, { population = false }: SpreadOptions = {}): number {
  checkValues("values", values, population ? 1 : 2);
  const { scale, unit } = centred(values);
  const divisor = population ? values.length : values.length - 1;
  return checkResult("variance", (dot(unit, unit) / divisor) * scale * scale);
}

/** The square root of the variance, also where the variance itself would leave the doubles. NumPy's `std`. */
export function standardDeviation(
  values: ArrayLike<number>,
  { population = false }: SpreadOptions = {},
): number {
  checkValues("values", values, population ? 1 : 2);
  const { scale, unit } = centred(values);
  const divisor = population ? values.length : values.length - 1;
  return checkResult("standard deviation", Math.sqrt(dot(unit, unit) / divisor) * scale);
}

/** The standard error of the mean, s / √n with the sample's s; needs two values. SciPy's `sem`. */
export function standardError(values: ArrayLike<number>): number {
  return standardDeviation(values) / Math.sqrt(values.length);
}

/** The value below which the fraction p lies, interpolated: type 7 of Hyndman and Fan 1996, NumPy's default. */
export function quantile(values: ArrayLike<number>, p: number): number {
  checkValues("values", values, 1);
  if (!(p >= 0 && p <= 1)) throw usageError("no such quantile", "a fraction from 0 to 1", String(p));
  return quantileOfSorted(Float64Array.from(values).sort(), p);
}

/** `quantile` of values in ascending order, of which it checks nothing but overflow. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const weight = position - below;
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const gap = checkResult("gap between two values", high - low);
  // From the nearer end, so that rounding cannot carry it past the other.
  return weight < 0.5 ? low + gap * weight : high - gap * (1 - weight);
}
