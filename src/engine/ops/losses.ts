/** Losses by sample, which methods weigh and sum as their equations say. */

import { shapeError } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { cast, equal } from "./comparison.ts";
import { div, exp, mul, neg, sub } from "./elementwise.ts";
import { oneHot, pick } from "./indexing.ts";
import { reshape } from "./layout.ts";
import { argmax, sum } from "./reductions.ts";
import { logSoftmax } from "./softmax.ts";

const crossEntropyOp: Op = {
  name: "crossEntropy",
  // softmax − one-hot: shorter than what the logarithm's and the pick's own rules would add up to.
  gradient(node, dy) {
    const [logits, labels] = node.inputs as [Tensor, Tensor];
    const difference = sub(exp(logSoftmax(logits)), oneHot(labels, logits.shape[1]!));
    return [mul(difference, reshape(dy, [-1, 1])), undefined];
  },
  interpret(node, [logits, labels]) {
    const classes = node.inputs[0]!.shape[1]!;
    return labels!.map((label, row) => {
      const values = logits!.subarray(row * classes, (row + 1) * classes);
      const largest = Math.max(...values);
      const total = values.reduce((sum, value) => sum + Math.exp(value - largest), 0);
      return Math.log(total) + largest - values[label]!;
    });
  },
  lower: ({ inputs: [logits, labels] }) => neg(pick(logSoftmax(logits!), labels!)),
};

/** −log softmax(logits) at the label: [batch, classes] and [batch] of integers → [batch]. */
export function crossEntropy(logits: Tensor, labels: Tensor): Tensor {
  const fits = logits.shape.length === 2 && labels.shape.length === 1 && logits.shape[0] === labels.shape[0];
  if (!fits || labels.dtype !== "int")
    throw shapeError("crossEntropy", "[batch, classes] and int [batch]", logits, labels);
  return new Tensor(crossEntropyOp, [logits, labels], {}, labels.shape);
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
