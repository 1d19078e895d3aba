/** Many tests at once: p-values adjusted so that each can be held against the level alone. */

import { inputError } from "./checks.ts";

/** Holm 1979: holds the probability of any false rejection. statsmodels' `multipletests(method="holm")`. */
export function holm(pValues: ArrayLike<number>): Float64Array {
  const ascending = orderOf(pValues);
  const adjusted = new Float64Array(pValues.length);
  let largest = 0;
  for (const [rank, i] of ascending.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * pValues[i]!));
    adjusted[i] = largest;
  }
  return adjusted;
}

/**
 * Benjamini and Hochberg 1995: holds the expected share of false rejections among all, for independent or positively
 * dependent tests. SciPy's `false_discovery_control`.
 */
export function benjaminiHochberg(pValues: ArrayLike<number>): Float64Array {
  const ascending = orderOf(pValues);
  const adjusted = new Float64Array(pValues.length);
  let smallest = 1;
  for (let rank = ascending.length; rank >= 1; rank--) {
    const i = ascending[rank - 1]!;
    smallest = Math.min(smallest, (pValues.length / rank) * pValues[i]!);
    adjusted[i] = smallest;
  }
  return adjusted;
}

/**
 * Benjamini and Yekutieli 2001: the same however tests depend on each other, for a factor of 1 + 1/2 + … + 1/m. SciPy's
 * `false_discovery_control(method="by")`.
 */
export function benjaminiYekutieli(pValues: ArrayLike<number>): Float64Array {
  let factor = 0;
  for (let i = 1; i <= pValues.length; i++) factor += 1 / i;
  return benjaminiHochberg(pValues).map((p) => Math.min(1, factor * p));
}

function orderOf(pValues: ArrayLike<number>): number[] {
  return Array.from(pValues, (p, i) => {
    if (!(p >= 0 && p <= 1)) throw inputError(`p-value ${i} is none`, "numbers from 0 to 1", String(p));
    return i;
  }).sort((a, b) => pValues[a]! - pValues[b]!);
}
