/** How far two columns rise together, whatever the shape of the curve. */

import { checkPairs, checkValues } from "./checks.ts";
import { correlate } from "./correlation.ts";
import { normalTwoSided } from "./distributions.ts";
import { centred } from "./sums.ts";

/** Ranks from 1; equal values share the mean of their ranks. SciPy's `rankdata`. */
export function averageRanks(values: ArrayLike<number>): Float64Array {
  checkValues("values", values, 0);
  const order = Uint32Array.from(values, (_, i) => i).sort((i, j) => values[i]! - values[j]!);
  const ranks = new Float64Array(values.length);
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + 1 + end) / 2;
  }
  return ranks;
}

/**
 * Spearman's ρ, Pearson's r of the ranks, with its two-sided p-value by Student's t; needs three pairs, and both
 * columns must vary. SciPy's `spearmanr`.
 */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): { rho: number; pValue: number } {
  checkPairs(x, y, 3);
  const { r, pValue } = correlate(centred(averageRanks(x)), centred(averageRanks(y)));
  return { rho: r, pValue };
}

/**
 * Kendall's τ-b in O(n log n) (Knight 1966), with its two-sided p-value by the normal approximation corrected for
 * ties (Kendall 1970, chapter 4); needs three pairs, and both columns must vary. SciPy's
 * `kendalltau(method="asymptotic")`.
 */
export function kendall(x: ArrayLike<number>, y: ArrayLike<number>): { tau: number; pValue: number } {
  checkPairs(x, y, 3);
  const n = x.length;
  const order = Uint32Array.from(x, (_, i) => i).sort((i, j) => x[i]! - x[j]! || y[i]! - y[j]!);
  const byX = Float64Array.from(order, (i) => y[i]!);
  const tiedX = countTies(n, (i, j) => x[order[i]!] === x[order[j]!]);
  const tiedBoth = countTies(n, (i, j) => x[order[i]!] === x[order[j]!] && byX[i] === byX[j]);
  const discordant = sortCountingInversions(byX);
  const tiedY = countTies(n, (i, j) => byX[i] === byX[j]);

  const pairs = (n * (n - 1)) / 2;
  // S, concordant less discordant pairs.
  const s = pairs - tiedX.pairs - tiedY.pairs + tiedBoth.pairs - 2 * discordant;
  const tau = s / Math.sqrt((pairs - tiedX.pairs) * (pairs - tiedY.pairs));
  const varianceOfS =
    (2 * pairs * (2 * n + 5) - tiedX.fives - tiedY.fives) / 18 +
    (tiedX.pairs * tiedY.pairs) / pairs +
    (tiedX.triples * tiedY.triples) / (18 * pairs * (n - 2));
  return { tau: Math.max(-1, Math.min(1, tau)), pValue: normalTwoSided(s / Math.sqrt(varianceOfS)) };
}

interface Ties {
  /** Σ t(t-1)/2 over groups of t equal neighbours. */
  pairs: number;
  /** Σ t(t-1)(t-2). */
  triples: number;
  /** Σ t(t-1)(2t+5). */
  fives: number;
}

function countTies(n: number, equal: (i: number, j: number) => boolean): Ties {
  const ties: Ties = { pairs: 0, triples: 0, fives: 0 };
  for (let start = 0, end = 0; start < n; start = end) {
    while (end < n && equal(start, end)) end++;
    const t = end - start;
    ties.pairs += (t * (t - 1)) / 2;
    ties.triples += t * (t - 1) * (t - 2);
    ties.fives += t * (t - 1) * (2 * t + 5);
  }
  return ties;
}

/** Merge sort in place; returns how many pairs stood in descending order. */
function sortCountingInversions(values: Float64Array): number {
  const merged = new Float64Array(values.length);
  let inversions = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      for (let out = start, left = start, right = middle; out < end; out++) {
        if (left < middle && (right === end || values[left]! <= values[right]!)) {
          merged[out] = values[left++]!;
        } else {
          inversions += middle - left;
          merged[out] = values[right++]!;
        }
      }
    }
    values.set(merged);
  }
  return inversions;
}
