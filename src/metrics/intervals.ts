/** 95% intervals of proportions, of their weighted sums and of paired differences. */

import { type Interval, normalQuantile, wilsonInterval } from "../core/statistics/index.ts";
import type { Tally } from "./counts.ts";
import type { Score } from "./metric.ts";

/** A number with its interval. */
export interface CountEstimate extends Interval {
  estimate: number;
}

/** The same as one term of a weighted sum. */
export interface Term extends CountEstimate {
  weight: number;
}

/** Wilson's interval of the share that was right; null without images. */
export function wilson({ count, correct }: Pick<Tally, "count" | "correct">): Interval | null {
  return count === 0 ? null : wilsonInterval(correct, count);
}

/** A share that was right, with Wilson's interval; there must be images. */
export function wilsonEstimate({ count, correct }: Pick<Tally, "count" | "correct">): CountEstimate {
  const { low, high } = wilsonInterval(correct, count);
  return { estimate: correct / count, low, high };
}

/** The same as a term. */
export function wilsonTerm(weight: number, tally: Pick<Tally, "count" | "correct">): Term {
  return { weight, ...wilsonEstimate(tally) };
}

export function combinedInterval(terms: Iterable<Term>): Interval {
  const sum = new WeightedSum();
  for (const term of terms) sum.add(term.weight, term);
  return sum.interval();
}

/**
 * A weighted sum of independent estimates, and its interval from the intervals of each: the square-and-add rule (Zou,
 * Huang and Zhang 2009), which for the difference of two proportions is Newcombe's 1998 method 10. Terms at 0 or 1
 * still have a width, unlike with standard errors.
 */
export class WeightedSum {
  value = 0;
  #below = 0;
  #above = 0;

  add(weight: number, { estimate, low, high }: CountEstimate): void {
    this.value += weight * estimate;
    const toLow = (weight * (estimate - low)) ** 2;
    const toHigh = (weight * (high - estimate)) ** 2;
    this.#below += weight >= 0 ? toLow : toHigh;
    this.#above += weight >= 0 ? toHigh : toLow;
  }

  interval(): Interval {
    return { low: this.value - Math.sqrt(this.#below), high: this.value + Math.sqrt(this.#above) };
  }
}

/** A difference to a baseline on the same images, as a score: in the papers a gap, changed images less plain ones. */
export function pairedGap(tally: Tally): Omit<Score, "of"> {
  const { count, correct, baselineCorrect } = tally;
  const value = count === 0 ? null : (correct - (baselineCorrect ?? 0)) / count;
  return { value, interval: pairedInterval(tally), count };
}

/**
 * The interval of the difference to a baseline on the same images: Bonett and Price 2012, the paired difference with
 * one discordant pair more on each side. Where it is not known which images both got right: Newcombe's, unpaired.
 */
export function pairedInterval({ count, correct, baselineCorrect, bothCorrect }: Tally): Interval | null {
  if (count === 0 || baselineCorrect === null) return null;
  if (bothCorrect === null) {
    return combinedInterval([
      wilsonTerm(1, { count, correct }),
      wilsonTerm(-1, { count, correct: baselineCorrect }),
    ]);
  }
  const { centre, error } = pairedCentre({ count, correct, baselineCorrect, bothCorrect });
  const half = normalQuantile(0.975) * error;
  return { low: Math.max(-1, centre - half), high: Math.min(1, centre + half) };
}

/** With one discordant pair more on each side: where Bonett and Price's interval lies, and its standard error, never 0. */
export function pairedCentre({ count, correct, baselineCorrect, bothCorrect }: Tally): {
  centre: number;
  error: number;
} {
  const onlyOurs = (correct - bothCorrect! + 1) / (count + 2);
  const onlyTheirs = (baselineCorrect! - bothCorrect! + 1) / (count + 2);
  const centre = onlyOurs - onlyTheirs;
  return { centre, error: Math.sqrt((onlyOurs + onlyTheirs - centre * centre) / (count + 2)) };
}
