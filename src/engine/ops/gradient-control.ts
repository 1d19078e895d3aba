/** Identities that change only what flows back through them. */

import type { Op } from "../tensor.ts";
import { Tensor } from "../tensor.ts";
import { mul } from "./elementwise.ts";

const stopGradientOp: Op = {
  name: "stopGradient",
  interpret: (_node, [x]) => x!,
  lower: (node) => node.inputs[0],
};

/** The same value, taken as a constant by `grad`. */
export function stopGradient(x: Tensor): Tensor {
  return new Tensor(stopGradientOp, [x], {}, x.shape, x.dtype);
}

const scaleGradientOp: Op<{ factor: number }> = {
  name: "scaleGradient",
  gradient: (node, dy) => [mul(dy, node.attributes.factor)],
  interpret: (_node, [x]) => x!,
  lower: (node) => node.inputs[0],
};

/** The same value, whose gradient is multiplied by −factor (Ganin & Lempitsky 2015). */
export function reverseGradient(x: Tensor, factor = 1): Tensor {
  return scaleGradient(x, -factor);
}

/** The same value, whose gradient is multiplied by `factor`. */
export function scaleGradient(x: Tensor, factor: number): Tensor {
  return new Tensor(scaleGradientOp, [x], { factor }, x.shape);
}
