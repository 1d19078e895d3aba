/** Sums over the points of each step along x, from one pass. */

import { mean } from "../../core/statistics/index.ts";

/** Of coordinates less their means, so that large sums do not swallow small differences. */
export interface BinnedSums {
  n: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

const steps = 1000;

export function binnedSums(
  x: Float64Array,
  y: Float64Array,
): { bins: BinnedSums[]; total: BinnedSums & { xMean: number; yMean: number }; left: number; width: number } {
  const [xMean, yMean] = [mean(x), mean(y)];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of x) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const left = least - xMean;
  const width = (most - least) / steps;
  const bins = Array.from({ length: steps }, empty);
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i]! - xMean, y[i]! - yMean];
    add(bins[Math.min(steps - 1, Math.floor((a - left) / width))]!, a, b);
  }
  const total = { ...empty(), xMean, yMean };
  for (const bin of bins) {
    total.n += bin.n;
    total.x += bin.x;
    total.y += bin.y;
    total.xx += bin.xx;
    total.xy += bin.xy;
    total.yy += bin.yy;
  }
  return { bins, total, left, width };
}

function empty(): BinnedSums {
  return { n: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
}

function add(sums: BinnedSums, x: number, y: number): void {
  sums.n++;
  sums.x += x;
  sums.y += y;
  sums.xx += x * x;
  sums.xy += x * y;
  sums.yy += y * y;
}
