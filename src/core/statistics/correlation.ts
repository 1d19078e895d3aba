/** How far two columns go along a line. */

import { type ConfidenceOption, checkConfidence, checkPairs, type Interval } from "./checks.ts";
import { normalQuantile, studentTwoSided } from "./distributions.ts";
import { type Centred, centred, dot } from "./sums.ts";

export interface PearsonResult extends Interval {
  r: number;
  /** Two-sided, of the hypothesis that the columns are independent and normal. */
  pValue: number;
}

/**
 * Pearson's r, with its p-value by Student's t and its interval by Fisher's z; needs three pairs, and both columns
 * must vary. Of three pairs the interval is [-1, 1], at r = ±1 it is that point. SciPy's `pearsonr`.
 */
export function pearson(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  { confidence = 0.95 }: ConfidenceOption = {},
): PearsonResult {
  checkConfidence(confidence);
  checkPairs(x, y, 3);
  const { r, pValue } = correlate(centred(x), centred(y));
  return { r, pValue, ...fisherInterval(r, x.length, confidence) };
}

/** r, the p-value, and the share of the variance that a line leaves: 1 - r² without its cancellation near ±1. */
export function correlate(x: Centred, y: Centred): { r: number; pValue: number; unexplained: number } {
  const xSquares = dot(x.unit, x.unit);
  const ySquares = dot(y.unit, y.unit);
  // Rounding alone can carry it past ±1.
  const r = Math.max(-1, Math.min(1, dot(x.unit, y.unit) / Math.sqrt(xSquares * ySquares)));
  const [xNorm, yNorm] = [Math.sqrt(xSquares), Math.sqrt(ySquares)];
  const residuals = x.unit.map((value, i) => y.unit[i]! / yNorm - r * (value / xNorm));
  const unexplained = dot(residuals, residuals);
  const degreesOfFreedom = x.unit.length - 2;
  const t = r * Math.sqrt(degreesOfFreedom / unexplained);
  return { r, pValue: studentTwoSided(t, degreesOfFreedom), unexplained };
}

/** Of three pairs or fewer, which effective sizes may come to, the interval is [-1, 1]. */
export function fisherInterval(r: number, n: number, confidence: number): Interval {
  if (n <= 3) return { low: -1, high: 1 };
  const z = Math.atanh(r);
  const halfWidth = -normalQuantile((1 - confidence) / 2) / Math.sqrt(n - 3);
  return { low: Math.tanh(z - halfWidth), high: Math.tanh(z + halfWidth) };
}
