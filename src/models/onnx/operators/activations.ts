/** Activation functions, and softmax. */

import {
  add,
  clip,
  elu,
  gelu,
  greater,
  leakyRelu,
  logSoftmax,
  maximum,
  minimum,
  mul,
  relu,
  sigmoid,
  softmax,
  softplus,
  type Tensor,
  tanh,
  where,
} from "../../../engine/expressions.ts";
import { sizeOf } from "../../../engine/shapes.ts";
import { type OperatorCall, type OperatorFamily, positiveAxis } from "../call.ts";
import { onFloats } from "./elementwise.ts";

const of = (activation: (x: Tensor) => Tensor) => (call: OperatorCall) => activation(call.input(0));

function hardSigmoid(x: Tensor, slope: number, offset: number): Tensor {
  return clip(add(mul(x, slope), offset), 0, 1);
}

/** Bounds that are left out bound nothing. */
function clipped(call: OperatorCall): Tensor {
  const [low] = call.optionalNumbers(1) ?? [Number.NEGATIVE_INFINITY];
  const [high] = call.optionalNumbers(2) ?? [Number.POSITIVE_INFINITY];
  return onFloats([call.input(0)], (x) => {
    if (low === Number.NEGATIVE_INFINITY) return minimum(x, high!);
    return high === Number.POSITIVE_INFINITY ? maximum(x, low!) : clip(x, low!, high!);
  });
}

/** x·Φ(x), exact or with Φ by a hyperbolic tangent. */
function gaussian(call: OperatorCall): Tensor {
  const x = call.input(0);
  if (call.text("approximate", "none") === "none") return gelu(x);
  const inner = mul(add(x, mul(mul(x, mul(x, x)), 0.044715)), Math.sqrt(2 / Math.PI));
  return mul(mul(x, 0.5), add(tanh(inner), 1));
}

/** Before opset 13 over all axes from the given one on, taken as one. */
function along(softened: (x: Tensor, axis: number) => Tensor) {
  return (call: OperatorCall): Tensor => {
    const x = call.input(0);
    if (call.opset >= 13) return softened(x, call.number("axis", -1));
    const axis = positiveAxis(call.number("axis", 1), x.shape.length);
    if (axis === x.shape.length - 1) return softened(x, axis);
    const flat = call.reshape(x, [sizeOf(x.shape.slice(0, axis)), sizeOf(x.shape.slice(axis))]);
    return call.reshape(softened(flat, 1), x.shape);
  };
}

const selu = { alpha: 1.6732632423543772, gamma: 1.0507009873554805 };

export const activations: OperatorFamily = {
  Celu: (call) => {
    const alpha = call.number("alpha", 1);
    return mul(elu(mul(call.input(0), 1 / alpha)), alpha);
  },
  Clip: clipped,
  Elu: (call) => elu(call.input(0), call.number("alpha", 1)),
  Gelu: gaussian,
  HardSigmoid: (call) => hardSigmoid(call.input(0), call.number("alpha", 0.2), call.number("beta", 0.5)),
  HardSwish: of((x) => mul(x, hardSigmoid(x, 1 / 6, 0.5))),
  LeakyRelu: (call) => leakyRelu(call.input(0), call.number("alpha", 0.01)),
  LogSoftmax: along(logSoftmax),
  Mish: of((x) => mul(x, tanh(softplus(x)))),
  PRelu: (call) => {
    const x = call.input(0);
    return where(greater(x, 0), x, mul(x, call.input(1)));
  },
  Relu: of(relu),
  Selu: (call) => mul(elu(call.input(0), call.number("alpha", selu.alpha)), call.number("gamma", selu.gamma)),
  Sigmoid: of(sigmoid),
  Softmax: along(softmax),
  Softplus: of(softplus),
  Swish: (call) => mul(call.input(0), sigmoid(mul(call.input(0), call.number("alpha", 1)))),
  Tanh: of(tanh),
};
