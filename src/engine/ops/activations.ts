/** Activation functions, and dropout. */

import { CuelabError } from "../../core/errors.ts";
import { type Op, Tensor } from "../tensor.ts";
import { cast, greater, greaterOrEqual, where } from "./comparison.ts";
import { add, erf, exp, mul, sub, unary } from "./elementwise.ts";
import { randomUniform } from "./sources.ts";

/** The largest float: times it, every positive number that is not denormal exceeds one. */
const largestFloat = (2 - 2 ** -23) * 2 ** 127;

/** 1 where x > 0, else 0. One pass over all threads as a clipped line, where the runtime casts on one thread only. */
const positiveOp: Op = {
  name: "positive",
  interpret: (_node, [x]) => x!.map((value) => (value > 0 ? 1 : 0)),
  emit: (_node, inputs, emitter) =>
    emitter.node("HardSigmoid", inputs, { alpha: { float: largestFloat }, beta: { float: 0 } }),
};

const reluOp: Op = {
  name: "relu",
  // The output's sign tells as much as the input's, and the input need not be kept.
  gradient: (node, dy) => [mul(dy, new Tensor(positiveOp, [node], {}, node.shape))],
  interpret: (_node, [x]) => x!.map((value) => Math.max(0, value)),
  emit: (_node, inputs, emitter) => emitter.node("Relu", inputs),
};

/** max(0, x); the gradient at 0 is 0. */
export function relu(x: Tensor): Tensor {
  return new Tensor(reluOp, [x], {}, x.shape);
}

export const sigmoid = unary(
  "sigmoid",
  "Sigmoid",
  (x) => 1 / (1 + Math.exp(-x)),
  (_x, y, dy) => mul(dy, mul(y, sub(1, y))),
);

export const tanh = unary("tanh", "Tanh", Math.tanh, (_x, y, dy) => mul(dy, sub(1, mul(y, y))));

/** log(1 + exp(x)). */
export const softplus = unary(
  "softplus",
  "Softplus",
  (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  (x, _y, dy) => mul(dy, sigmoid(x)),
);

/** x·Φ(x), with the exact normal distribution function. */
export function gelu(x: Tensor): Tensor {
  return mul(x, mul(add(erf(mul(x, Math.SQRT1_2)), 1), 0.5));
}

/** x·sigmoid(x), also called swish. */
export function silu(x: Tensor): Tensor {
  return mul(x, sigmoid(x));
}

/** x above 0, else α(eˣ − 1), which is also the branch whose gradient counts at 0. */
export function elu(x: Tensor, alpha = 1): Tensor {
  const above = greater(x, 0);
  // The exponential must not overflow where it is not used: its gradient would be 0 · ∞.
  return where(above, x, mul(sub(exp(where(above, 0, x)), 1), alpha));
}

export function leakyRelu(x: Tensor, slope = 0.01): Tensor {
  return where(greater(x, 0), x, mul(x, slope));
}

/** Zeroes each element with probability `rate` and scales the others up; `key` names the random numbers. */
export function dropout(x: Tensor, rate: number, key: string): Tensor {
  if (!(rate >= 0 && rate < 1)) {
    throw new CuelabError({
      kind: "usage",
      what: "dropout: impossible rate",
      expected: "0 ≤ rate < 1",
      got: `${rate}`,
    });
  }
  if (rate === 0) return x;
  const kept = cast(greaterOrEqual(randomUniform(key, x.shape), rate), "float");
  return mul(x, mul(kept, 1 / (1 - rate)));
}
