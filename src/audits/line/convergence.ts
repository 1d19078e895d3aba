/**
 * How many classifiers are enough: the paper's rule (its Table 3). Classifiers are added a hundred at a time; enough is
 * the count from which on the next hundred change R by less than 1% of itself with 95% confidence.
 */

import { CuelabError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";
import { quantile } from "../../core/statistics/index.ts";
import { centredColumns, RunningCorrelation } from "./resample.ts";

export interface ConvergenceOptions {
  random: Random;
  /** 10, then steps of 100, unless told. */
  first?: number | undefined;
  step?: number | undefined;
  /** The change of R, relative to itself, that does not matter; 0.01 unless told. */
  tolerance?: number | undefined;
  confidence?: number | undefined;
  /** 1000 unless told. */
  resamples?: number | undefined;
  /** Larger tables are drawn from as a whole, but only so many points are added; 30,000 unless told. */
  mostPoints?: number | undefined;
}

export interface ConvergencePoint {
  count: number;
  /** Median of R over the resamples, and where the middle 95% of them lie. */
  r: number;
  rLow: number;
  rHigh: number;
  /** What the relative change of R by the next step stays below in 95% of the resamples; null at the last count. */
  change: number | null;
}

export interface Convergence {
  /** Null where it was not reached: more classifiers are needed. */
  enough: number | null;
  step: number;
  tolerance: number;
  confidence: number;
  resamples: number;
  curve: ConvergencePoint[];
}

/**
 * Every resample is a sequence of points drawn with replacement; R is taken at each count along it, so that a step's
 * change is that of adding points to those already there. Columns are on their scale.
 */
export function convergence(x: Float64Array, y: Float64Array, options: ConvergenceOptions): Convergence {
  const { first = 10, step = 100, tolerance = 0.01, confidence = 0.95, resamples = 1000 } = options;
  const length = Math.min(x.length, options.mostPoints ?? 30_000);
  if (!(Number.isInteger(first) && first >= 3 && Number.isInteger(step) && step >= 1)) {
    throw new CuelabError({
      kind: "usage",
      what: "no such steps",
      expected: "a first count of at least 3 and steps of at least 1",
      got: `${first} and ${step}`,
    });
  }
  const counts: number[] = [];
  for (let count = first; count <= length; count += step) counts.push(count);
  const found = counts.map(() => new Float64Array(resamples));
  const columns = centredColumns(x, y);
  for (let i = 0; i < resamples; i++) {
    const sums = new RunningCorrelation();
    let drawn = 0;
    for (const [c, count] of counts.entries()) {
      for (; drawn < count; drawn++) {
        const k = options.random.integer(x.length);
        sums.add(columns.x[k]!, columns.y[k]!);
      }
      found[c]![i] = sums.r();
    }
  }
  const curve = counts.map((count, c): ConvergencePoint => {
    const known = found[c]!.filter((r) => !Number.isNaN(r));
    const at = (p: number) => (known.length === 0 ? Number.NaN : quantile(known, p));
    const next = found[c + 1];
    return {
      count,
      r: at(0.5),
      rLow: at((1 - confidence) / 2),
      rHigh: at((1 + confidence) / 2),
      change: next === undefined ? null : quantile(relativeChanges(found[c]!, next), confidence),
    };
  });
  return { enough: enoughOf(curve, tolerance), step, tolerance, confidence, resamples, curve };
}

/** A resample without R has changed by all that can be. */
function relativeChanges(before: Float64Array, after: Float64Array): Float64Array {
  return before.map((r, i) => {
    const change = Math.abs(after[i]! - r) / Math.abs(r);
    return Number.isFinite(change) ? change : Number.MAX_VALUE;
  });
}

function enoughOf(curve: readonly ConvergencePoint[], tolerance: number): number | null {
  let enough: number | null = null;
  for (const { count, change } of curve) {
    if (change === null) break;
    if (change >= tolerance) enough = null;
    else enough ??= count;
  }
  return enough;
}
