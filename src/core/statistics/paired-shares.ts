/** Two shares of the same trials, such as the accuracies of one model on plain and on changed images. */

import { checkConfidence, type Interval, inputError } from "./checks.ts";
import { normalCdf, normalQuantile } from "./distributions.ts";

export interface PairedCounts {
  /** Right by the second alone. */
  won: number;
  /** Right by the first alone. */
  lost: number;
  n: number;
}

export interface PairedShares extends Interval {
  /** Second less first. */
  difference: number;
  /** One-sided p-value: small where the second share is lower by more than `by`. */
  readonly fallsMore: (by: number) => number;
  /** Likewise: small where it is lower by less than `by`, or higher. */
  readonly fallsLess: (by: number) => number;
}

/**
 * Bonett and Price 2012: Wald's interval of paired shares after one more trial was added to either kind of trials that differ, so that it
 * keeps a width where none does. Tests go by the same estimate and error.
 */
export function pairedShares({ won, lost, n }: PairedCounts, confidence = 0.95): PairedShares {
  checkConfidence(confidence);
  const fits = [won, lost, n].every((count) => Number.isSafeInteger(count) && count >= 0);
  if (!fits || n < 1 || won + lost > n)
    throw inputError(
      "no such paired counts",
      "won + lost of n trials, n at least 1",
      `${won}, ${lost}, ${n}`,
    );
  const [up, down] = [(won + 1) / (n + 2), (lost + 1) / (n + 2)];
  const centre = up - down;
  const error = Math.sqrt((up + down - centre ** 2) / (n + 2));
  const half = -normalQuantile((1 - confidence) / 2) * error;
  return {
    difference: (won - lost) / n,
    low: Math.max(-1, centre - half),
    high: Math.min(1, centre + half),
    fallsMore: (by) => normalCdf((centre + by) / error),
    fallsLess: (by) => normalCdf(-(centre + by) / error),
  };
}
