/** Two lines that meet instead of one: a segmented regression with one break, and what speaks for it. */

import { type BinnedSums, binnedSums } from "./binned-sums.ts";

export interface Segments {
  /** Where the lines meet, on the scale of x. */
  breakAt: number;
  /** Height of the continuous fit there, and its slopes. */
  heightAtBreak: number;
  slopeBelow: number;
  slopeAbove: number;
  /** How much lower the Bayesian information criterion is with the break; two parameters more. */
  deltaBic: number;
  /** Of the two parameters more; its usual p-value would ignore that the break was searched for. */
  f: number;
  /** The share of what one line leaves unexplained that the break explains. */
  explained: number;
}

/** Fewer points than this on a side, in number or share, make no regime. */
const fewestPoints = 10;
const leastShare = 0.1;

/**
 * The break that explains most, among a thousand places in equal steps; undefined where no place has enough points on
 * both sides. With h = max(0, x - break), what x and 1 leave of h explains of y's residuals by Frisch, Waugh and
 * Lovell; all sums come from one pass over the points.
 */
export function segmentedFit(x: Float64Array, y: Float64Array): Segments | undefined {
  const { bins, total, left, width } = binnedSums(x, y);
  const n = total.n;
  const sxx = total.xx - total.x ** 2 / n;
  const sxy = total.xy - (total.x * total.y) / n;
  const syy = total.yy - total.y ** 2 / n;
  const oneLine = syy - sxy ** 2 / sxx;
  const above: BinnedSums = { ...total };
  let best: { gain: number; at: number; change: number; sxh: number; h: number } | undefined;
  for (let bin = 0; bin < bins.length - 1; bin++) {
    const sums = bins[bin]!;
    above.n -= sums.n;
    above.x -= sums.x;
    above.y -= sums.y;
    above.xx -= sums.xx;
    above.xy -= sums.xy;
    const fewer = Math.min(above.n, n - above.n);
    if (fewer < fewestPoints || fewer < leastShare * n) continue;
    const at = left + (bin + 1) * width;
    const h = above.x - at * above.n;
    const hh = above.xx - 2 * at * above.x + at * at * above.n;
    const sxh = above.xx - at * above.x - (total.x * h) / n;
    const shy = above.xy - at * above.y - (total.y * h) / n;
    const shh = hh - h ** 2 / n;
    const [top, under] = [shy - (sxh * sxy) / sxx, shh - sxh ** 2 / sxx];
    // A break beyond which x hardly varies is none.
    if (!(under > 1e-9 * shh)) continue;
    const gain = top ** 2 / under;
    if (best === undefined || gain > best.gain) best = { gain, at, change: top / under, sxh, h };
  }
  if (best === undefined || !(oneLine > 0)) return undefined;
  // Points exactly on two lines leave nothing; a little keeps the logarithm finite.
  const twoLines = Math.max(oneLine - best.gain, 1e-12 * syy);
  const slopeBelow = (sxy - best.change * best.sxh) / sxx;
  return {
    breakAt: best.at + total.xMean,
    heightAtBreak: total.yMean + slopeBelow * best.at - (best.change * best.h) / n,
    slopeBelow,
    slopeAbove: slopeBelow + best.change,
    deltaBic: n * Math.log(oneLine / twoLines) - 2 * Math.log(n),
    f: (oneLine - twoLines) / 2 / (twoLines / (n - 4)),
    explained: 1 - twoLines / oneLine,
  };
}
