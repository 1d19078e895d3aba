/**
 * Environment inference (Creager et al. 2021): a soft choice between two environments for each image, made so that a fixed network
 * is as far as possible from being best in both.
 */

import type { Random } from "../core/random.ts";

export interface InferenceOptions {
  steps: number;
  rate: number;
  /** First values are standard normal numbers. */
  random: Random;
}

/** PyTorch's defaults of Adam. */
const [firstDecay, secondDecay, epsilon] = [0.9, 0.999, 1e-8];

/**
 * Logits of belonging to the first environment, one an image; each class is split by itself. The penalty of an environment is
 * (mean over the class of q·g)², with g the slope of an image's loss along a scale of the logits: Adam raises the mean of both.
 */
export function inferEnvironments(
  slopes: Float64Array,
  labels: Int32Array,
  classes: number,
  { steps, rate, random }: InferenceOptions,
): Float64Array {
  const assigned = Float64Array.from(slopes, () => random.normal());
  for (let label = 0; label < classes; label++) {
    const places = [...labels.keys()].filter((place) => labels[place] === label);
    const own = splitOf(
      places.map((place) => slopes[place]!),
      places.map((place) => assigned[place]!),
      { steps, rate },
    );
    for (const [i, place] of places.entries()) assigned[place] = own[i]!;
  }
  return assigned;
}

function splitOf(
  slopes: readonly number[],
  first: readonly number[],
  { steps, rate }: Pick<InferenceOptions, "steps" | "rate">,
): Float64Array {
  const count = slopes.length;
  const [g, w] = [Float64Array.from(slopes), Float64Array.from(first)];
  const [q, mean, square] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  for (let step = 1; step <= steps; step++) {
    let [one, other] = [0, 0];
    for (let i = 0; i < count; i++) {
      q[i] = 1 / (1 + Math.exp(-w[i]!));
      one += q[i]! * g[i]!;
      other += (1 - q[i]!) * g[i]!;
    }
    // Minus the derivative of ((mean q·g)² + (mean (1 − q)·g)²) / 2 by w: what is raised, Adam lowers the negative of.
    const apart = (other - one) / count ** 2;
    const [firstBias, secondBias] = [1 - firstDecay ** step, Math.sqrt(1 - secondDecay ** step)];
    for (let i = 0; i < count; i++) {
      const slope = apart * g[i]! * q[i]! * (1 - q[i]!);
      mean[i] = firstDecay * mean[i]! + (1 - firstDecay) * slope;
      square[i] = secondDecay * square[i]! + (1 - secondDecay) * slope * slope;
      w[i]! -= ((rate / firstBias) * mean[i]!) / (Math.sqrt(square[i]!) / secondBias + epsilon);
    }
  }
  return w;
}

/** Slope of each image's cross entropy along a scale of its logits, at 1: Σ_k p_k·z_k − z_y. */
export function scaleSlopes(logits: Float32Array, labels: Int32Array, classes: number): Float64Array {
  return Float64Array.from(labels, (label, row) => {
    const z = Array.from(logits.subarray(row * classes, (row + 1) * classes));
    const largest = Math.max(...z);
    const raised = z.map((each) => Math.exp(each - largest));
    const total = raised.reduce((a, b) => a + b);
    return z.reduce((sum, each, k) => sum + (raised[k]! / total) * each, 0) - z[label]!;
  });
}

/**
 * Turned round, class by class, where the images of the other side have the larger mean loss: above 0 is then the side on which
 * the network is worse. No labels of cues are needed for it.
 */
export function towardsWorse(
  assigned: Float64Array,
  losses: Float32Array,
  labels: Int32Array,
  classes: number,
): Float32Array {
  const sums = Array.from({ length: classes }, () => ({ inside: 0, within: 0, outside: 0, without: 0 }));
  for (const [place, label] of labels.entries()) {
    const sum = sums[label]!;
    if (assigned[place]! > 0) {
      sum.inside += losses[place]!;
      sum.within++;
    } else {
      sum.outside += losses[place]!;
      sum.without++;
    }
  }
  const turned = sums.map(
    ({ inside, within, outside, without }) => inside * without < outside * within && within * without > 0,
  );
  return Float32Array.from(assigned, (value, place) => (turned[labels[place]!] ? -value : value));
}
