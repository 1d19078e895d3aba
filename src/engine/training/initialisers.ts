/** How parameters begin. */

import { CuelabError } from "../../core/errors.ts";
import type { NumberStream } from "../ops/sources.ts";
import { sizeOf } from "../shapes.ts";
import type { Shape } from "../tensor.ts";

export type Initialiser = (shape: Shape, stream: NumberStream) => Float32Array;

/** Inputs and outputs of one unit: weights are [outputs, inputs, ...kernel]. */
function fans(shape: Shape): { fanIn: number; fanOut: number } {
  if (shape.length < 2) {
    throw new CuelabError({
      kind: "failure",
      what: "a fan needs a weight of two axes or more",
      got: `[${shape.join(", ")}]`,
    });
  }
  const kernel = sizeOf(shape.slice(2));
  return { fanIn: shape[1]! * kernel, fanOut: shape[0]! * kernel };
}

function uniformWithin(bound: number, shape: Shape, stream: NumberStream): Float32Array {
  return Float32Array.from({ length: sizeOf(shape) }, () => (2 * stream.uniform() - 1) * bound);
}

export function filled(value: number): Initialiser {
  return (shape) => new Float32Array(sizeOf(shape)).fill(value);
}

/** PyTorch's truncated normal is the same for such deviations: it cuts at ±2, not at two deviations. */
export function normal(deviation: number): Initialiser {
  return (shape, stream) => Float32Array.from({ length: sizeOf(shape) }, () => stream.normal() * deviation);
}

/** He et al. 2015, for ReLU: normal with variance 2 / fan. */
export function heNormal(mode: "fanIn" | "fanOut" = "fanIn"): Initialiser {
  return (shape, stream) => {
    const deviation = Math.sqrt(2 / fans(shape)[mode]);
    return Float32Array.from({ length: sizeOf(shape) }, () => stream.normal() * deviation);
  };
}

/** The uniform distribution with He's variance. */
export function heUniform(mode: "fanIn" | "fanOut" = "fanIn"): Initialiser {
  return (shape, stream) => uniformWithin(Math.sqrt(6 / fans(shape)[mode]), shape, stream);
}

/** Glorot & Bengio 2010: uniform with variance 2 / (fan in + fan out). */
export function xavierUniform(): Initialiser {
  return (shape, stream) => {
    const { fanIn, fanOut } = fans(shape);
    return uniformWithin(Math.sqrt(6 / (fanIn + fanOut)), shape, stream);
  };
}

export function xavierNormal(): Initialiser {
  return (shape, stream) => {
    const { fanIn, fanOut } = fans(shape);
    const deviation = Math.sqrt(2 / (fanIn + fanOut));
    return Float32Array.from({ length: sizeOf(shape) }, () => stream.normal() * deviation);
  };
}

/** What PyTorch's linear and convolution layers do: uniform within 1 / √fan in. */
export function torchWeight(): Initialiser {
  return (shape, stream) => uniformWithin(1 / Math.sqrt(fans(shape).fanIn), shape, stream);
}

/** PyTorch's bias: uniform within 1 / √fan in of the weight it belongs to. */
export function torchBias(weight: Shape): Initialiser {
  return (shape, stream) => uniformWithin(1 / Math.sqrt(fans(weight).fanIn), shape, stream);
}
