/** A line through points of which some count more than others. */

import { checkPairs, checkResult, inputError } from "./checks.ts";
import { correlate } from "./correlation.ts";
import type { LinearRegression } from "./regression.ts";
import { type Centred, dot, sum } from "./sums.ts";

export interface WeightedRegression extends Omit<LinearRegression, "interceptStandardError"> {
  /** How many points of equal weight would say as much: (Σw)² / Σw² (Kish 1965). */
  effectiveSize: number;
}

/**
 * Weighted least squares of y on x, and the weighted Pearson r. Weights are relative: doubling all of them changes
 * nothing, and p-value and standard error count points, not weights, as statsmodels' `WLS` does. Points of weight 0
 * take no part.
 */
export function weightedRegression(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  weights: ArrayLike<number>,
): WeightedRegression {
  const used = usedPoints(weights, x.length);
  const [xs, ys, w] = [x, y, weights].map((column) => Float64Array.from(used, (i) => column[i]!)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  checkPairs(xs, ys, 3);
  const total = checkResult("sum of weights", sum(w));
  const a = weightedCentred(xs, w, total);
  const b = weightedCentred(ys, w, total);
  const { r, pValue, unexplained } = correlate(a, b);
  const xSquares = dot(a.unit, a.unit);
  const ySquares = dot(b.unit, b.unit);
  const slope = dot(a.unit, b.unit) / xSquares;
  return {
    slope: checkResult("slope", slope),
    intercept: checkResult("intercept", b.mean - slope * a.mean),
    r,
    pValue,
    slopeStandardError: Math.sqrt((unexplained * ySquares) / xSquares / (xs.length - 2)),
    effectiveSize: (total * total) / dot(w, w),
  };
}

/** A column less its weighted mean, times the roots of the weights: plain sums of it are weighted sums. */
function weightedCentred(values: Float64Array, weights: Float64Array, total: number): Centred {
  const mean = checkResult("weighted mean", dot(values, weights) / total);
  return { mean, scale: 1, unit: values.map((value, i) => Math.sqrt(weights[i]!) * (value - mean)) };
}

function usedPoints(weights: ArrayLike<number>, n: number): number[] {
  if (weights.length !== n) throw inputError("too few or too many weights", `${n}`, `${weights.length}`);
  const used: number[] = [];
  for (let i = 0; i < n; i++) {
    const weight = weights[i]!;
    if (!(weight >= 0 && Number.isFinite(weight))) {
      throw inputError(`weight ${i} is none`, "a finite number of at least 0", String(weight));
    }
    if (weight > 0) used.push(i);
  }
  return used;
}
