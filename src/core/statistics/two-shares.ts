/** Two shares compared: how far one lies above the other, between which bounds, and whether chance would do as much. */

import { checkConfidence, type Interval, inputError } from "./checks.ts";
import { wilsonInterval } from "./wilson.ts";

/** So many of so many. */
export interface ShareCounts {
  successes: number;
  n: number;
}

/**
 * Newcombe's 1998 interval of p₁ - p₀ (his method 10): the ends of both Wilson intervals put together. statsmodels'
 * `confint_proportions_2indep(method="newcomb")`.
 */
export function shareDifferenceInterval(one: ShareCounts, other: ShareCounts, confidence = 0.95): Interval {
  checkConfidence(confidence);
  const [a, b] = [
    wilsonInterval(one.successes, one.n, confidence),
    wilsonInterval(other.successes, other.n, confidence),
  ];
  const [p, q] = [one.successes / one.n, other.successes / other.n];
  return {
    low: Math.max(-1, p - q - Math.hypot(p - a.low, b.high - q)),
    high: Math.min(1, p - q + Math.hypot(a.high - p, q - b.low)),
  };
}

/**
 * Fisher's exact test that the first share is no larger: the probability of at least as many of its successes, given all
 * totals. SciPy's `fisher_exact(alternative="greater")`.
 */
export function fisherGreater(one: ShareCounts, other: ShareCounts): number {
  for (const { successes, n } of [one, other])
    if (!(Number.isSafeInteger(successes) && Number.isSafeInteger(n) && successes >= 0 && successes <= n))
      throw inputError("no such counts", "whole numbers, of successes at most n", `${successes} of ${n}`);
  const [n, successes] = [one.n + other.n, one.successes + other.successes];
  const most = Math.min(successes, one.n);
  const least = Math.max(0, successes - other.n);
  if (one.successes <= least) return 1;
  const logTotal = logChoose(n, one.n);
  const termAt = (k: number) =>
    Math.exp(logChoose(successes, k) + logChoose(n - successes, one.n - k) - logTotal);
  // The ratio of two neighbours, so that logarithms of large factorials are taken once.
  const ratio = (k: number) => ((successes - k) * (one.n - k)) / ((k + 1) * (n - successes - one.n + k + 1));
  const expected = (successes * one.n) / n;
  const sumFrom = (start: number) => {
    let [sum, term] = [0, termAt(start)];
    for (let k = start; k <= most; k++) {
      sum += term;
      const next = ratio(k);
      // Beyond their largest, terms fall faster and faster.
      if (next < 1 && term < 1e-18 * sum) break;
      term *= next;
    }
    return sum;
  };
  if (one.successes >= expected) return Math.min(1, sumFrom(one.successes));
  let [below, term] = [0, termAt(one.successes - 1)];
  for (let k = one.successes - 1; k >= least; k--) {
    below += term;
    if (k > least) term /= ratio(k - 1);
  }
  return Math.min(1, Math.max(0, 1 - below));
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Sums of logarithms up to here, Stirling's series beyond. */
const tabled = 256;
const table = new Float64Array(tabled);
for (let i = 2; i < tabled; i++) table[i] = table[i - 1]! + Math.log(i);

function logFactorial(n: number): number {
  if (n < tabled) return table[n]!;
  const inverse = 1 / (n * n);
  const series = (1 / 12 - inverse * (1 / 360 - inverse / 1260)) / n;
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + series;
}
