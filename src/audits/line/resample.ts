/** Correlations of resampled points: sums over points drawn with replacement, without copying any. */

import type { Random } from "../../core/random.ts";
import { type Interval, mean, quantile } from "../../core/statistics/index.ts";

export interface CorrelationBootstrapOptions {
  random: Random;
  resamples: number;
  confidence: number;
  weights?: Float64Array | undefined;
}

/** The percentile interval of R; resamples without spread in a column, as tiny ones may be, are drawn again. */
export function correlationBootstrap(
  x: Float64Array,
  y: Float64Array,
  { random, resamples, confidence, weights }: CorrelationBootstrapOptions,
): Interval {
  const columns = centredColumns(x, y);
  const found = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let r = Number.NaN;
    for (let attempt = 0; Number.isNaN(r) && attempt < mostAttempts; attempt++) {
      const sums = new RunningCorrelation();
      for (let j = 0; j < x.length; j++) {
        const k = random.integer(x.length);
        sums.add(columns.x[k]!, columns.y[k]!, weights === undefined ? 1 : weights[k]!);
      }
      r = sums.r();
    }
    // Nearly constant columns: nothing is known of R.
    if (Number.isNaN(r)) return { low: -1, high: 1 };
    found[i] = r;
  }
  const tail = (1 - confidence) / 2;
  return { low: quantile(found, tail), high: quantile(found, 1 - tail) };
}

const mostAttempts = 100;

/** Less their means, so that squares of sums do not swallow the variances. */
export function centredColumns(x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array } {
  const [xMean, yMean] = [mean(x), mean(y)];
  return { x: x.map((value) => value - xMean), y: y.map((value) => value - yMean) };
}

/** Pearson's r of the points so far; NaN while a column has no spread. */
export class RunningCorrelation {
  #w = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #yy = 0;

  add(x: number, y: number, weight = 1): void {
    this.#w += weight;
    this.#x += weight * x;
    this.#y += weight * y;
    this.#xx += weight * x * x;
    this.#xy += weight * x * y;
    this.#yy += weight * y * y;
  }

  r(): number {
    return correlationOfSums(this.#w, this.#x, this.#y, this.#xx, this.#xy, this.#yy);
  }
}

/** Pearson's r from (weighted) sums of ones, x, y, x², xy and y²; NaN where a column has no spread. */
export function correlationOfSums(
  w: number,
  x: number,
  y: number,
  xx: number,
  xy: number,
  yy: number,
): number {
  const [a, b] = [xx - (x * x) / w, yy - (y * y) / w];
  // What rounding leaves of a constant column is no spread.
  if (!(a > tiny * xx && b > tiny * yy)) return Number.NaN;
  return Math.max(-1, Math.min(1, (xy - (x * y) / w) / Math.sqrt(a * b)));
}

const tiny = 1e-12;
