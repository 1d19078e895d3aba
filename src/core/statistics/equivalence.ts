/** Whether a mean over seeds is as good as none: that a difference was not seen is no evidence of that. */

import { checkValues, usageError } from "./checks.ts";
import { meanOverSeeds, studentUpper, tOf } from "./student-t.ts";

export interface EquivalenceOptions {
  /** Means nearer to 0 than this are as good as none; to be fixed before the first run. */
  margin: number;
  /** 0.05 unless told. */
  alpha?: number;
}

export interface EquivalenceResult {
  /** The larger of both one-sided p-values. */
  pValue: number;
  /** That the mean is the margin or more. */
  abovePValue: number;
  equivalent: boolean;
  /** Above this margin the same values would have been equivalent. */
  smallestMargin: number;
  /** The interval of confidence 1 - 2α, which lies within the margins where it is equivalent. */
  low: number;
  high: number;
  n: number;
  degreesOfFreedom: number;
}

/**
 * Two one-sided tests (Schuirmann 1987) of values of one sample, or of paired differences: that the mean is -margin or
 * less, and that it is margin or more. Needs two values. statsmodels' `DescrStatsW.ttost_mean`.
 */
export function equivalenceTest(
  values: ArrayLike<number>,
  { margin, alpha = 0.05 }: EquivalenceOptions,
): EquivalenceResult {
  checkMargin(margin);
  checkAlpha(alpha);
  checkValues("values", values, 2);
  const { mean, low, high, n, degreesOfFreedom, deviation } = meanOverSeeds(values, {
    confidence: 1 - 2 * alpha,
  });
  const error = deviation! / Math.sqrt(n);
  const within = (distance: number) =>
    distance <= 0 && error === 0 ? 1 : studentUpper(tOf(distance, error), degreesOfFreedom);
  const abovePValue = within(margin - mean);
  const pValue = Math.max(within(margin + mean), abovePValue);
  return {
    pValue,
    abovePValue,
    equivalent: pValue < alpha,
    smallestMargin: Math.max(Math.abs(low!), Math.abs(high!)),
    low: low!,
    high: high!,
    n,
    degreesOfFreedom,
  };
}

export function checkMargin(margin: number): void {
  if (margin > 0 && Number.isFinite(margin)) return;
  throw usageError("no such margin", "a number above 0, such as 0.03 for three points", String(margin));
}

/** From 0.5 on an interval of confidence 1 - 2α would be empty. */
export function checkAlpha(alpha: number): void {
  if (alpha > 0 && alpha < 0.5) return;
  throw usageError("no such level", "a number between 0 and 0.5, such as 0.05", String(alpha));
}
