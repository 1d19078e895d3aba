/** What a test of so many seeds could have seen, by the noncentral t distribution. */

import { checkValues, usageError } from "./checks.ts";
import { normalCdf } from "./distributions.ts";
import { checkAlpha } from "./equivalence.ts";
import { studentQuantile } from "./student-t.ts";
import { standardDeviation } from "./summary.ts";

export interface PowerOptions {
  /** Of the two-sided test; 0.05 unless told. */
  alpha?: number;
  /** The probability of seeing the effect; 0.8 unless told. */
  power?: number;
}

/**
 * The probability that a noncentral t number is above x. T = (Z + δ)/s with s² = χ²/ν, so it is the mean of Φ(δ - x·s)
 * over s. In u = log s the integrand is smooth and vanishes at both ends, where the trapezoidal rule converges
 * exponentially. SciPy's `nct.sf`.
 */
export function noncentralUpper(x: number, degreesOfFreedom: number, noncentrality: number): number {
  const step = 0.05 / Math.sqrt(degreesOfFreedom);
  let [total, hit] = [0, 0];
  // The density of u, up to its normalisation, has its mode at 0.
  const logDensity = (u: number) => degreesOfFreedom * (u - Math.expm1(2 * u) / 2);
  const add = (u: number, density: number) => {
    total += density;
    hit += density * normalCdf(noncentrality - x * Math.exp(u));
  };
  add(0, 1);
  for (const direction of [step, -step]) {
    for (let i = 1; ; i++) {
      const log = logDensity(i * direction);
      if (log < negligible) break;
      add(i * direction, Math.exp(log));
    }
  }
  return hit / total;
}

/** Beyond it nothing changes in the sixteenth digit. */
const negligible = -45;

/** The power of Student's two-sided test of n values for an effect in deviations. statsmodels' `TTestPower.power`. */
export function studentPower(
  effect: number,
  n: number,
  { alpha = 0.05 }: Pick<PowerOptions, "alpha"> = {},
): number {
  checkAlpha(alpha);
  checkSize(n);
  const critical = studentQuantile(1 - alpha / 2, n - 1);
  const noncentrality = effect * Math.sqrt(n);
  return noncentralUpper(critical, n - 1, noncentrality) + noncentralUpper(critical, n - 1, -noncentrality);
}

/** The smallest effect, in deviations, that n values show with the power. statsmodels' `TTestPower.solve_power`. */
export function smallestEffect(n: number, { alpha = 0.05, power = 0.8 }: PowerOptions = {}): number {
  checkAlpha(alpha);
  checkSize(n);
  if (!(power > alpha && power < 1)) {
    throw usageError("no such power", `a number between alpha (${alpha}) and 1, such as 0.8`, String(power));
  }
  const key = `${n} ${alpha} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let [low, high] = [0, 1];
  while (studentPower(high, n, { alpha }) < power) [low, high] = [high, 2 * high];
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2;
    if (studentPower(middle, n, { alpha }) < power) low = middle;
    else high = middle;
  }
  const found = (low + high) / 2;
  if (known.size < mostKnown) known.set(key, found);
  return found;
}

/** A study asks for the same few by the dozen. */
const known = new Map<string, number>();
const mostKnown = 1000;

/** The smallest mean that values of this spread could have shown; needs two. */
export function smallestMean(values: ArrayLike<number>, options: PowerOptions = {}): number {
  checkValues("values", values, 2);
  return smallestEffect(values.length, options) * standardDeviation(values);
}

function checkSize(n: number): void {
  if (Number.isSafeInteger(n) && n >= 2) return;
  throw usageError("no test of so few values", "a whole number of at least 2", String(n));
}
