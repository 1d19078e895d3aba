/** Logistic regression without an intercept, as the theory's f(x) = w·x, by Newton's method. */

import { CuelabError } from "../core/errors.ts";
import { dot, length, type RealMatrix, solve, type Vector } from "./matrix.ts";
import type { Sample } from "./sample.ts";

export interface LogisticOptions {
  /** Only the first columns; all by default. */
  columns?: number;
  /** λ of Σ log(1 + exp(-y w·x)) + ½ Σ λ w²: one for all weights, or one a weight. */
  ridge: number | Vector;
}

const mostSteps = 100;

/** The weights at which the gradient vanishes. The loss is convex, and strictly so with a ridge. */
export function fitLogistic(sample: Sample, { columns = sample.width, ridge }: LogisticOptions): Vector {
  const ridges =
    typeof ridge === "number" ? Array.from({ length: columns }, () => ridge) : ridge.slice(0, columns);
  let weights: Vector = ridges.map(() => 0);
  let here = evaluate(sample, weights, ridges);
  for (let step = 0; step < mostSteps; step++) {
    // Relative to the gradient's rounding: a sum of `count` terms of a size near 1.
    if (length(here.gradient) <= 1e-11 * sample.count) return settled(weights, here.loss, sample, ridges);
    const direction = solve(here.hessian, here.gradient);
    const slope = dot(direction, here.gradient);
    let size = 1;
    let next = evaluate(sample, moved(weights, direction, size), ridges);
    // Far from the optimum a whole step can overshoot.
    while (next.loss > here.loss - 1e-4 * size * slope && size > 1e-10) {
      size /= 2;
      next = evaluate(sample, moved(weights, direction, size), ridges);
    }
    if (next.loss >= here.loss) return settled(weights, here.loss, sample, ridges);
    weights = moved(weights, direction, size);
    here = next;
  }
  throw unsettled(sample, columns);
}

/** Without a ridge, a loss that vanishes is no optimum: the weights would grow for ever. */
function settled(weights: Vector, loss: number, sample: Sample, ridges: Vector): Vector {
  if (loss < 1e-8 * sample.count && ridges.includes(0)) throw unsettled(sample, weights.length);
  return weights;
}

function unsettled({ count }: Sample, columns: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "the logistic regression does not settle",
    where: `${count} rows of ${columns} features`,
    todo: "give it a ridge above 0: without one, rows that a line parts have no best weights",
  });
}

function evaluate({ rows, labels, count, width }: Sample, weights: Vector, ridges: Vector) {
  const columns = weights.length;
  const w = Float64Array.from(weights);
  const gradient = new Float64Array(columns);
  const curvature = new Float64Array(columns * columns);
  let loss = 0;
  for (let i = 0, at = 0; i < count; i++, at += width) {
    let score = 0;
    for (let j = 0; j < columns; j++) score += w[j]! * rows[at + j]!;
    const margin = score * labels[i]!;
    // log(1 + exp(-m)) without overflow.
    const small = Math.exp(-Math.abs(margin));
    loss += Math.log1p(small) + Math.max(0, -margin);
    const wrong = margin >= 0 ? small / (1 + small) : 1 / (1 + small);
    const pull = wrong * labels[i]!;
    const bend = small / (1 + small) ** 2;
    for (let j = 0; j < columns; j++) {
      const value = rows[at + j]!;
      gradient[j]! -= pull * value;
      const bent = bend * value;
      for (let k = 0; k <= j; k++) curvature[j * columns + k]! += bent * rows[at + k]!;
    }
  }
  for (let j = 0; j < columns; j++) {
    loss += 0.5 * ridges[j]! * w[j]! ** 2;
    gradient[j]! += ridges[j]! * w[j]!;
    curvature[j * columns + j]! += ridges[j]!;
  }
  const hessian: RealMatrix = weights.map((_, j) =>
    weights.map((_, k) => curvature[Math.max(j, k) * columns + Math.min(j, k)]!),
  );
  return { loss, gradient: [...gradient], hessian };
}

function moved(weights: Vector, direction: Vector, size: number): Vector {
  return weights.map((value, i) => value - size * direction[i]!);
}
