/** The normal and Student's t distribution; the only importer of @stdlib. */

import { createRequire } from "node:module";
import type NormalCdf from "@stdlib/stats-base-dists-normal-cdf";
import type NormalQuantile from "@stdlib/stats-base-dists-normal-quantile";
import type TCdf from "@stdlib/stats-base-dists-t-cdf";
import { inputError, usageError } from "./checks.ts";

const require = createRequire(import.meta.url);

/** Loaded when first asked: they are four hundred small files, a tenth of the start of commands that need none of them. */
const stdlib = {
  normalCdf: whenAsked(() => require("@stdlib/stats-base-dists-normal-cdf") as typeof NormalCdf),
  normalQuantile: whenAsked(
    () => require("@stdlib/stats-base-dists-normal-quantile") as typeof NormalQuantile,
  ),
  tCdf: whenAsked(() => require("@stdlib/stats-base-dists-t-cdf") as typeof TCdf),
};

function whenAsked<Value>(load: () => Value): () => Value {
  let loaded: Value | undefined;
  return () => (loaded ??= load());
}

/** The probability that a standard normal number is at most x; ±∞ give 1 and 0. SciPy's `norm.cdf`. */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) throw inputError("no normal probability of NaN", "a number", "NaN");
  return stdlib.normalCdf()(x, 0, 1);
}

/** The x with `normalCdf(x) === p`; 0 and 1 give ∓∞. SciPy's `norm.ppf`. */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw usageError("no such probability", "a number from 0 to 1", String(p));
  if (p > 0.5) return -lowerQuantile(1 - p);
  return lowerQuantile(p);
}

/**
 * The probability that |T| ≥ |t|, T of Student's distribution with the given degrees of freedom. SciPy's `2 * t.sf(|t|)`,
 * to twelve digits down to 1e-300: @stdlib's lower tail goes through the incomplete beta function, not through 1 - p.
 */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  return 2 * stdlib.tCdf()(-Math.abs(t), degreesOfFreedom);
}

/** The probability that T ≤ t, T of Student's distribution. SciPy's `t.cdf`; the upper tail is that of -t. */
export function studentCdf(t: number, degreesOfFreedom: number): number {
  return stdlib.tCdf()(t, degreesOfFreedom);
}

/** The t with `studentTwoSided(t, …) === p`, by halving; for bands around fitted lines. */
export function studentCritical(p: number, degreesOfFreedom: number): number {
  let [low, high] = [0, 1];
  while (studentTwoSided(high, degreesOfFreedom) > p) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degreesOfFreedom) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The probability that |Z| ≥ |z|, Z standard normal. */
export function normalTwoSided(z: number): number {
  return 2 * normalCdf(-Math.abs(z));
}

function lowerQuantile(p: number): number {
  if (p === 0) return Number.NEGATIVE_INFINITY;
  // @stdlib goes through 2p - 1, where a small p drowns: seven digits are left at 1e-12, none at 1e-17.
  return p < 0.02 ? tailQuantile(p) : stdlib.normalQuantile()(p, 0, 1);
}

/** Newton's method on log Φ(x) = log p, from the tail's expansion x² ≈ L - log L with L = -2 log(p √2π). */
function tailQuantile(p: number): number {
  const start = -2 * Math.log(p) - Math.log(2 * Math.PI);
  let x = -Math.sqrt(start - Math.log(start));
  // The start is good to three digits, and each step doubles them.
  for (let step = 0; step < 4; step++) {
    const below = normalCdf(x);
    const density = Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);
    x -= Math.log(below / p) * (below / density);
  }
  return x;
}
