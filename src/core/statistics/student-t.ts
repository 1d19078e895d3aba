/** Means over seeds with Student's t: with three seeds it errs in 5% of cases, where a bootstrap over them errs in 26%. */

import { type ConfidenceOption, checkConfidence, checkValues, isConstant, usageError } from "./checks.ts";
import { studentCdf, studentCritical, studentTwoSided } from "./distributions.ts";
import { mean, standardDeviation } from "./summary.ts";

/** The mean of a sample of seeds, and how far it is known. */
export interface SeedMean {
  mean: number;
  /** The interval's ends; undefined for one seed, which tells nothing of the others. */
  low: number | undefined;
  high: number | undefined;
  n: number;
  /** n - 1. */
  degreesOfFreedom: number;
  /** The sample's standard deviation, over n - 1; undefined for one seed. */
  deviation: number | undefined;
}

export interface StudentTest extends SeedMean {
  /** Undefined for one seed. */
  t: number | undefined;
  /** Two-sided, of the hypothesis that the mean over all seeds is `against`; undefined for one seed. */
  pValue: number | undefined;
}

interface TestOptions extends ConfidenceOption {
  /** The mean to test against; 0 unless told. */
  against?: number;
}

/** The t with `studentCdf(t) === p`; 0 and 1 give ∓∞. SciPy's `t.ppf`. */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (!(p >= 0 && p <= 1)) throw usageError("no such probability", "a number from 0 to 1", String(p));
  checkDegrees(degreesOfFreedom);
  if (p === 0.5) return 0;
  return p < 0.5 ? -critical(2 * p, degreesOfFreedom) : critical(2 * (1 - p), degreesOfFreedom);
}

/**
 * The mean over seeds with its interval, mean ± t·s/√n. Seeds that all gave the same number have an interval of that
 * point, as the formula says.
 */
export function meanOverSeeds(
  values: ArrayLike<number>,
  { confidence = 0.95 }: ConfidenceOption = {},
): SeedMean {
  checkConfidence(confidence);
  checkValues("values", values, 1);
  const n = values.length;
  // The mean of equal values can be off by its last bit, which must not look like a difference.
  const centre = isConstant(values) ? values[0]! : mean(values);
  const counts = { n, degreesOfFreedom: n - 1 };
  if (n === 1) return { mean: centre, low: undefined, high: undefined, ...counts, deviation: undefined };
  const deviation = standardDeviation(values);
  const half = seedHalfWidth(deviation, n, confidence);
  return { mean: centre, low: centre - half, high: centre + half, ...counts, deviation };
}

/** Half of the interval of a mean over n seeds, at least two, from their standard deviation. */
export function seedHalfWidth(deviation: number, n: number, confidence = 0.95): number {
  return studentQuantile((1 + confidence) / 2, n - 1) * (deviation / Math.sqrt(n));
}

/** Student's test of one sample. SciPy's `ttest_1samp`, but that equal seeds are no evidence against their own value. */
export function studentTest(
  values: ArrayLike<number>,
  { against = 0, ...options }: TestOptions = {},
): StudentTest {
  const estimate = meanOverSeeds(values, options);
  const { deviation, n, degreesOfFreedom } = estimate;
  if (deviation === undefined) return { ...estimate, t: undefined, pValue: undefined };
  const t = tOf(estimate.mean - against, deviation / Math.sqrt(n));
  return { ...estimate, t, pValue: studentTwoSided(t, degreesOfFreedom) };
}

/** A distance in standard errors: ±∞ where there is no error, but 0 for no distance. */
export function tOf(distance: number, standardError: number): number {
  return distance === 0 ? 0 : distance / standardError;
}

/** The probability of a t at least as large. */
export function studentUpper(t: number, degreesOfFreedom: number): number {
  return studentCdf(-t, degreesOfFreedom);
}

/** Tables ask for one or two of them by the thousand, and each takes a hundred values of the distribution. */
const known = new Map<string, number>();
const mostKnown = 1000;

function critical(twoSided: number, degreesOfFreedom: number): number {
  if (twoSided === 0) return Number.POSITIVE_INFINITY;
  const key = `${twoSided} ${degreesOfFreedom}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = studentCritical(twoSided, degreesOfFreedom);
  if (known.size < mostKnown) known.set(key, found);
  return found;
}

function checkDegrees(degreesOfFreedom: number): void {
  if (degreesOfFreedom > 0 && Number.isFinite(degreesOfFreedom)) return;
  throw usageError("no such degrees of freedom", "a number above 0", String(degreesOfFreedom));
}
