/** A line through points. */

import { checkPairs, checkResult } from "./checks.ts";
import { correlate } from "./correlation.ts";
import { centred, dot } from "./sums.ts";

export interface LinearRegression {
  slope: number;
  intercept: number;
  r: number;
  /** Two-sided, of the hypothesis that the slope is 0. */
  pValue: number;
  slopeStandardError: number;
  interceptStandardError: number;
}

/**
 * Ordinary least squares of y on x; needs three points, and both columns must vary: a constant y has slope 0 but no
 * r. SciPy's `linregress`.
 */
export function linearRegression(x: ArrayLike<number>, y: ArrayLike<number>): LinearRegression {
  checkPairs(x, y, 3);
  const xs = centred(x);
  const ys = centred(y);
  const { r, pValue, unexplained } = correlate(xs, ys);
  const xSquares = dot(xs.unit, xs.unit);
  const ySquares = dot(ys.unit, ys.unit);
  const steepness = ys.scale / xs.scale;
  const slope = (dot(xs.unit, ys.unit) / xSquares) * steepness;
  const slopeStandardError = Math.sqrt((unexplained * ySquares) / xSquares / (x.length - 2)) * steepness;
  const rootMeanSquareX = Math.hypot(Math.sqrt(xSquares / x.length) * xs.scale, xs.mean);
  return {
    slope: checkResult("slope", slope),
    intercept: checkResult("intercept", ys.mean - slope * xs.mean),
    r,
    pValue,
    slopeStandardError: checkResult("slope's standard error", slopeStandardError),
    interceptStandardError: checkResult("intercept's standard error", slopeStandardError * rootMeanSquareX),
  };
}
