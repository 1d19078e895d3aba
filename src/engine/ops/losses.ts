/** Losses by sample, which methods weigh and sum as their equations say. */

import { shapeError } from "../shapes.ts";
import type { Tensor } from "../tensor.ts";
import { cast, equal } from "./comparison.ts";
import { div, mul, neg } from "./elementwise.ts";
import { pick } from "./indexing.ts";
import { argmax, sum } from "./reductions.ts";
import { logSoftmax } from "./softmax.ts";

/** −log softmax(logits) at the label: [batch, classes] and [batch] of integers → [batch]. */
export function crossEntropy(logits: Tensor, labels: Tensor): Tensor {
  return neg(pick(logSoftmax(logits), labels));
}

/** Cross entropy against probabilities instead of labels, as mixing needs: two [batch, classes] → [batch]. */
export function softCrossEntropy(logits: Tensor, targets: Tensor): Tensor {
  if (logits.shape.join() !== targets.shape.join()) {
    throw shapeError("softCrossEntropy", "two tensors [batch, classes]", logits, targets);
  }
  return neg(sum(mul(logSoftmax(logits), targets), [-1]));
}

/** 1 where the largest logit is the label's: [batch]. */
export function correct(logits: Tensor, labels: Tensor): Tensor {
  return cast(equal(argmax(logits, 1), labels), "float");
}

/** Divides by the sum, so that the result sums to one. */
export function normalise(weights: Tensor): Tensor {
  return div(weights, sum(weights));
}
