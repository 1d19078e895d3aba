/** Intervals of any statistic, by drawing the sample anew from itself. */

import type { Random } from "../random.ts";
import {
  type ConfidenceOption,
  checkConfidence,
  checkValues,
  type Interval,
  inputError,
  usageError,
} from "./checks.ts";
import { normalCdf, normalQuantile } from "./distributions.ts";
import { quantileOfSorted } from "./summary.ts";
import { centred, dot, sum } from "./sums.ts";

/** Gets a sample that it may read only until it returns: the next resample is written over it. */
export type Statistic = (sample: Float64Array) => number;

interface IntervalOptions extends ConfidenceOption {
  /**
   * `percentile` takes the resampled statistic's quantiles; `bca` also corrects for its bias and skewness, for one
   * more call of the statistic a value. `bca` unless told.
   */
  method?: "percentile" | "bca";
}

export interface BootstrapOptions extends IntervalOptions {
  random: Random;
  /** 10,000 unless told. */
  resamples?: number;
}

/**
 * The bootstrap interval of `statistic(values)`: percentile or BCa (Efron and Tibshirani 1993, sections 13.3 and
 * 14.3). SciPy's `bootstrap`. Pairs and other rows are resampled by giving their row numbers as values.
 *
 * If every resample gives the same number, that number is both ends; for an accuracy of exactly 0 or 1 use
 * `wilsonInterval`, which then still has a width.
 */
export function bootstrapInterval(
  values: ArrayLike<number>,
  statistic: Statistic,
  { random, resamples = 10_000, ...options }: BootstrapOptions,
): Interval {
  const { confidence = 0.95 } = options;
  checkConfidence(confidence);
  checkValues("values", values, 2);
  const needed = Math.ceil(2 / (1 - confidence));
  if (!(Number.isSafeInteger(resamples) && resamples >= needed)) {
    const expected = `a whole number of at least ${needed}, for one beyond each end at confidence ${confidence}`;
    throw usageError("too few resamples", expected, String(resamples));
  }
  const sample = new Float64Array(values.length);
  const resampled = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    for (let j = 0; j < sample.length; j++) sample[j] = values[random.integer(sample.length)]!;
    resampled[i] = checkStatistic(statistic(sample), `resample ${i}`);
  }
  return intervalOfResampled(resampled, values, statistic, options);
}

/** The second half of `bootstrapInterval`: from the statistic's values on all resamples to its interval. */
export function intervalOfResampled(
  resampled: ArrayLike<number>,
  values: ArrayLike<number>,
  statistic: Statistic,
  { confidence = 0.95, method = "bca" }: IntervalOptions = {},
): Interval {
  const sorted = Float64Array.from(resampled).sort();
  const tail = (1 - confidence) / 2;
  if (method === "percentile" || sorted[0] === sorted.at(-1)) {
    return { low: quantileOfSorted(sorted, tail), high: quantileOfSorted(sorted, 1 - tail) };
  }
  const sample = Float64Array.from(values);
  const z0 = biasCorrection(sorted, checkStatistic(statistic(sample), "the values themselves"));
  const a = acceleration(sample, statistic);
  const corrected = (z: number): number => {
    const shifted = z0 + z;
    if (1 - a * shifted <= 0) throw bcaError(`acceleration ${a} is too strong for confidence ${confidence}`);
    return quantileOfSorted(sorted, normalCdf(z0 + shifted / (1 - a * shifted)));
  };
  const z = normalQuantile(tail);
  return { low: corrected(z), high: corrected(-z) };
}

/** z0, equation 14.14; resamples that hit the estimate count half, as in SciPy. */
function biasCorrection(sorted: Float64Array, estimate: number): number {
  let below = 0;
  for (const value of sorted) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  if (below === 0 || below === sorted.length) {
    throw bcaError("all resamples lie on one side of the estimate");
  }
  return normalQuantile(below / sorted.length);
}

/** The acceleration a, equation 14.15: a sixth of the skewness of the leave-one-out estimates. */
function acceleration(sample: Float64Array, statistic: Statistic): number {
  const rest = new Float64Array(sample.length - 1);
  const estimates = sample.map((_, left) => {
    rest.set(sample.subarray(0, left));
    rest.set(sample.subarray(left + 1), left);
    return checkStatistic(statistic(rest), `the values without number ${left}`);
  });
  const { unit } = centred(estimates);
  const squares = unit.map((deviation) => deviation * deviation);
  const spread = sum(squares);
  if (spread === 0) throw bcaError("leaving out one value never changes the estimate");
  return -dot(unit, squares) / (6 * spread ** 1.5);
}

function checkStatistic(value: number, sample: string): number {
  if (Number.isFinite(value)) return value;
  throw inputError(`the statistic of ${sample} is not finite`, "a finite number", String(value));
}

function bcaError(reason: string): Error {
  const what = "the BCa interval is not defined for these values";
  return inputError(what, "a statistic that varies on both sides", reason, 'method: "percentile"');
}
