/**
 * What a class's logit is made of: principal components of its images' weighed features (feature × the class's weight). Summed
 * over features these are the logit, so that each component has a part of it (the idea of Neuhaus et al. 2023).
 */

import { randomStream } from "../../core/random.ts";
import { type FeatureMatrix, principalComponents } from "../embedding/pca.ts";

/** A last linear layer: logits are weight · features + bias. */
export interface LinearHead {
  classes: number;
  inputs: number;
  /** [classes, inputs]. */
  weight: Float32Array;
  bias: Float32Array;
}

export interface ClassComponents {
  class: number;
  /** Images that it was fitted on. */
  images: number;
  mean: Float64Array;
  /** [count, inputs], unit vectors in falling order of variance. */
  axes: Float64Array;
  /** Of each how far one step along it raises the logit; never below 0. */
  push: number[];
  /** Of the variance of weighed features. */
  shares: number[];
}

export function classComponents(
  features: Float32Array,
  rows: readonly number[],
  { weight, inputs }: LinearHead,
  { of, wanted, seed }: { of: number; wanted: number; seed: number },
): ClassComponents {
  const values = new Float64Array(rows.length * inputs);
  for (const [i, row] of rows.entries())
    for (let j = 0; j < inputs; j++)
      values[i * inputs + j] = weight[of * inputs + j]! * features[row * inputs + j]!;
  const matrix: FeatureMatrix = { values, count: rows.length, width: inputs };
  const found = principalComponents(matrix, wanted, randomStream(seed, "components/axes").at(of));
  const push: number[] = [];
  for (let k = 0; k < found.kept; k++) {
    const axis = found.axes.subarray(k * inputs, (k + 1) * inputs);
    const sum = axis.reduce((total, value) => total + value, 0);
    // An axis and its negative are one component: it points to where the logit rises.
    if (sum < 0) for (let j = 0; j < inputs; j++) axis[j]! *= -1;
    push.push(Math.abs(sum));
  }
  const shares = Array.from(found.variances, (variance) => variance / found.totalVariance);
  return { class: of, images: rows.length, mean: found.mean, axes: found.axes, push, shares };
}

/** What a component adds to the class's logit in each image, against the class's mean image. */
export function contributions(
  features: Float32Array,
  { weight, inputs }: LinearHead,
  { class: of, mean, axes, push }: ClassComponents,
  k: number,
): Float64Array {
  return Float64Array.from({ length: features.length / inputs }, (_, i) => {
    let along = 0;
    for (let j = 0; j < inputs; j++)
      along += axes[k * inputs + j]! * (weight[of * inputs + j]! * features[i * inputs + j]! - mean[j]!);
    return push[k]! * along;
  });
}

/** The direction in the features whose part of them is the component: what Grad-CAM is asked about. */
export function directionOf({ weight, inputs }: LinearHead, { class: of, axes }: ClassComponents, k: number) {
  return Float32Array.from({ length: inputs }, (_, j) => weight[of * inputs + j]! * axes[k * inputs + j]!);
}

/** The head whose logit no longer has these components: each image has that of the class's mean image instead. */
export function withoutComponents(
  { classes, inputs, weight, bias }: LinearHead,
  removed: readonly { of: ClassComponents; k: number }[],
): LinearHead {
  const made = { classes, inputs, weight: Float32Array.from(weight), bias: Float32Array.from(bias) };
  for (const { of, k } of removed) {
    let shift = 0;
    for (let j = 0; j < inputs; j++) {
      const axis = of.axes[k * inputs + j]!;
      made.weight[of.class * inputs + j]! -= of.push[k]! * axis * weight[of.class * inputs + j]!;
      shift += axis * of.mean[j]!;
    }
    made.bias[of.class]! += of.push[k]! * shift;
  }
  return made;
}

/** [images, classes]. */
export function logitsOf(
  features: Float32Array,
  { classes, inputs, weight, bias }: LinearHead,
): Float32Array {
  const count = features.length / inputs;
  const logits = new Float32Array(count * classes);
  for (let i = 0; i < count; i++)
    for (let c = 0; c < classes; c++) {
      let sum = bias[c]!;
      for (let j = 0; j < inputs; j++) sum += weight[c * inputs + j]! * features[i * inputs + j]!;
      logits[i * classes + c] = sum;
    }
  return logits;
}
