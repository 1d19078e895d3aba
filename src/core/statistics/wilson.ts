/** The interval of a proportion. */

import { checkConfidence, type Interval, inputError } from "./checks.ts";
import { normalQuantile } from "./distributions.ts";

/**
 * The last one that was asked for: reports make intervals by the thousand, all of one confidence. The usual one is
 * written down, since it takes longer to load what computes it than to make a report.
 */
const last = { confidence: 0.95, z: 1.9599639845400538 };

/**
 * Wilson's 1927 score interval of a proportion; unlike p ± z·se it stays in [0, 1] and keeps a width at 0 and n
 * successes. SciPy's `binomtest(...).proportion_ci(method="wilson")`.
 */
export function wilsonInterval(successes: number, n: number, confidence = 0.95): Interval {
  checkConfidence(confidence);
  if (!(Number.isSafeInteger(n) && n >= 1)) {
    throw inputError("no proportion without trials", "a whole number of trials, at least 1", String(n));
  }
  if (!(Number.isInteger(successes) && successes >= 0 && successes <= n)) {
    throw inputError("no such number of successes", `a whole number from 0 to ${n}`, String(successes));
  }
  const z = quantile(confidence);
  const proportion = successes / n;
  const centre = successes + (z * z) / 2;
  const halfWidth = z * Math.sqrt(successes * (1 - proportion) + (z * z) / 4);
  // The ends at no failure and no success are exactly 1 and 0; the formula would be off by its rounding.
  return {
    low: successes === 0 ? 0 : (centre - halfWidth) / (n + z * z),
    high: successes === n ? 1 : (centre + halfWidth) / (n + z * z),
  };
}

function quantile(confidence: number): number {
  if (confidence !== last.confidence) {
    [last.confidence, last.z] = [confidence, -normalQuantile((1 - confidence) / 2)];
  }
  return last.z;
}
