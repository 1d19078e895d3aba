/** How often a linear classifier sign(w·x) is right: by formula, and on samples. */

import { normalCdf } from "../core/statistics/index.ts";
import type { Component } from "./domain.ts";
import { dot, quadratic, type Vector } from "./matrix.ts";
import type { Sample } from "./sample.ts";

/** w·m / √(wᵀΣw) of one Gaussian: the probit of its accuracy. A classifier of zeros has none: 0, right half the time. */
export function signalToNoise(weights: Vector, { mean, covariance }: Omit<Component, "weight">): number {
  const signal = dot(weights, mean);
  const noise = Math.sqrt(quadratic(covariance, weights));
  return signal === 0 ? 0 : signal / noise;
}

/** Pr(Y w·x > 0) = Σ π Φ(w·m / √(wᵀΣw)) over the Gaussian parts of Y·x. */
export function exactAccuracy(weights: Vector, components: readonly Component[]): number {
  return components.reduce(
    (total, component) => total + component.weight * normalCdf(signalToNoise(weights, component)),
    0,
  );
}

/** The share of rows whose label w·x has the sign of; w may be of the first columns only. */
export function sampledAccuracy(weights: Vector, { rows, labels, count, width }: Sample): number {
  const used = Float64Array.from(weights);
  let right = 0;
  for (let i = 0, at = 0; i < count; i++, at += width) {
    let score = 0;
    for (let j = 0; j < used.length; j++) score += used[j]! * rows[at + j]!;
    if (score * labels[i]! > 0) right++;
  }
  return right / count;
}

/** The standard error of a share of `count` rows that is `accuracy` in truth. */
export function samplingError(accuracy: number, count: number): number {
  return Math.sqrt(Math.max(0, accuracy * (1 - accuracy)) / count);
}
