/** The ratio of two means that were measured together, and how far it is known. */

import { type Interval, usageError } from "./checks.ts";

/** Two estimates and how they vary together: variances are those of the means. */
export interface PairedMoments {
  first: number;
  second: number;
  firstVariance: number;
  secondVariance: number;
  covariance: number;
}

export interface RatioOptions {
  /** How many standard errors the interval reaches: a quantile of Student's t, or of the normal distribution. */
  quantile: number;
}

/**
 * Fieller 1954: every ratio ρ for which first − ρ·second is not told from 0. Null where the second itself is not told from 0:
 * the interval would then have no end.
 */
export function ratioInterval(
  { first, second, firstVariance, secondVariance, covariance }: PairedMoments,
  { quantile }: RatioOptions,
): Interval | null {
  if (!(quantile >= 0)) throw usageError("no such quantile", "a number of 0 or more", String(quantile));
  const squared = quantile * quantile;
  const a = second * second - squared * secondVariance;
  if (!(a > 0)) return null;
  const b = first * second - squared * covariance;
  const c = first * first - squared * firstVariance;
  // Rounding alone can bring a discriminant of 0 below it.
  const root = Math.sqrt(Math.max(0, b * b - a * c));
  return { low: (b - root) / a, high: (b + root) / a };
}
