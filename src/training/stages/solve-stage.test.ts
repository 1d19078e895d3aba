import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { type ConvexProblem, minimise } from "./solve-stage.ts";

const [rows, width, classes] = [120, 6, 3];
const random = randomStream(5, "test").at(0);
const features = Float64Array.from({ length: rows * width }, () => random.normal());
/** Overlapping classes that three of the six features tell apart. */
const labels = Int32Array.from({ length: rows }, (_, i) => {
  const scores = [0, 1, 2].map((k) => features[i * width + k]! + random.normal());
  return scores.indexOf(Math.max(...scores));
});

/** Mean cross entropy of a linear layer [classes, width] with biases after it, and its gradient, written out. */
async function at(point: Float64Array): Promise<{ loss: number; slopes: Float64Array }> {
  const slopes = new Float64Array(point.length);
  let loss = 0;
  for (let i = 0; i < rows; i++) {
    const x = features.subarray(i * width, (i + 1) * width);
    const scores = [0, 1, 2].map((k) =>
      x.reduce((sum, value, j) => sum + value * point[k * width + j]!, point[classes * width + k]!),
    );
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    loss += (Math.log(total) - scores[labels[i]!]!) / rows;
    for (let k = 0; k < classes; k++) {
      const excess = (Math.exp(scores[k]!) / total - (labels[i] === k ? 1 : 0)) / rows;
      slopes[classes * width + k]! += excess;
      for (let j = 0; j < width; j++) slopes[k * width + j]! += excess * x[j]!;
    }
  }
  return { loss, slopes };
}

const size = classes * width + classes;
const problem: ConvexProblem = {
  first: new Float64Array(size),
  isWeight: Uint8Array.from({ length: size }, (_, i) => (i < classes * width ? 1 : 0)),
  at,
};
const usual = { l1: 0, l2: 0, tolerance: 1e-7, most: 5000, onStep: () => false };

test("L2 ends where the gradient is −l2·w, and biases are free", async () => {
  const l2 = 0.05;
  const { at: point, converged, objective } = (await minimise(problem, { ...usual, l2 }))!;
  expect(converged).toBe(true);
  const { loss, slopes } = await at(point);
  for (let i = 0; i < size; i++)
    expect(Math.abs(slopes[i]! + (problem.isWeight[i] === 1 ? l2 * point[i]! : 0))).toBeLessThan(1e-6);
  const penalty = point.subarray(0, classes * width).reduce((sum, w) => sum + (l2 / 2) * w * w, 0);
  expect(objective).toBeCloseTo(loss + penalty, 10);
});

test("L1 ends at its optimality conditions, with exact zeros", async () => {
  const l1 = 0.05;
  const { at: point, converged } = (await minimise(problem, { ...usual, l1 }))!;
  expect(converged).toBe(true);
  const { slopes } = await at(point);
  const weights = [...point.subarray(0, classes * width)];
  const zeros = weights.filter((w) => w === 0).length;
  expect(zeros).toBeGreaterThan(classes * width * 0.3);
  expect(zeros).toBeLessThan(classes * width);
  for (const [i, w] of weights.entries()) {
    if (w === 0) expect(Math.abs(slopes[i]!)).toBeLessThan(l1 + 1e-6);
    else expect(Math.abs(slopes[i]! + l1 * Math.sign(w))).toBeLessThan(1e-6);
  }
});

test("where it begins decides nothing, how long it may take does, and it can be stopped", async () => {
  const far = { ...problem, first: Float64Array.from({ length: size }, (_, i) => (i % 5) - 2) };
  const [one, other] = await Promise.all([problem, far].map((p) => minimise(p, { ...usual, l2: 0.05 })));
  for (let i = 0; i < classes * width; i++) expect(Math.abs(one!.at[i]! - other!.at[i]!)).toBeLessThan(1e-4);
  expect((await minimise(far, { ...usual, l2: 0.05, most: 3 }))!.converged).toBe(false);
  expect(await minimise(far, { ...usual, onStep: () => true })).toBeUndefined();
});
