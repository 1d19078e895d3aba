/** How far predictions of several views of an image are from each other. */

import { add, log, maximum, mean, mul, softmax, sub, sum, type Tensor } from "../engine/expressions.ts";

/** Keeps logarithms of mean predictions finite, as AugMix's own program does. */
const tiny = 1e-7;

export function meanOf(tensors: readonly Tensor[]): Tensor {
  return mul(tensors.reduce(add), 1 / tensors.length);
}

/** Mean over views of KL(p_k ‖ mean of all p), mean over the batch (Hendrycks et al. 2020). */
export function jensenShannon(logits: readonly Tensor[]): Tensor {
  const probabilities = logits.map((each) => softmax(each));
  const middle = log(maximum(meanOf(probabilities), tiny));
  const divergences = probabilities.map((p) => sum(mul(p, sub(log(maximum(p, tiny)), middle)), [1]));
  return mean(meanOf(divergences));
}
