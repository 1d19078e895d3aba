/** Builds, feeds and differentiates the op cases. */

import type { NumberStream, Tensor } from "../../src/engine/expressions.ts";
import { grad, input, mul, sum } from "../../src/engine/expressions.ts";
import { constant } from "../../src/engine/ops/sources.ts";
import { sizeOf } from "../../src/engine/shapes.ts";
import { defaultValue, type OpCase } from "./op-cases.ts";

export interface BuiltCase {
  inputs: Tensor[];
  /** Inputs with a gradient to check. */
  floats: number[];
  output: Tensor;
  /** A sum of the output with uneven weights, so that no part of a gradient cancels. */
  loss: Tensor;
  feeds: Record<string, Float64Array>;
}

export function buildCase(opCase: OpCase): BuiltCase {
  const inputs = opCase.inputs.map(({ shape, dtype }, i) => input(`x${i}`, shape, dtype));
  const output = opCase.build(...inputs);
  const weights = Float64Array.from(
    { length: sizeOf(output.shape) },
    (_, i) => 0.5 + ((i * 13) % 7) * 0.25 - (i % 3),
  );
  const feeds = Object.fromEntries(
    opCase.inputs.map(({ shape, values }, salt) => [
      `x${salt}`,
      Float64Array.from({ length: sizeOf(shape) }, (_, i) => values?.(i) ?? defaultValue(i, salt)),
    ]),
  );
  const floats = inputs.flatMap((tensor, i) => (tensor.dtype === "float" ? [i] : []));
  return { inputs, floats, output, loss: sum(mul(output, constant(weights, output.shape))), feeds };
}

export function gradientsOf(built: BuiltCase): Tensor[] {
  return grad(
    built.loss,
    built.floats.map((i) => built.inputs[i]!),
    { unused: "zero" },
  );
}

/** A small deterministic stream for tests; not a generator to use elsewhere. */
export function testRandom(key: string): NumberStream {
  let state = Buffer.from(key).reduce((hash, byte) => (hash * 31 + byte) >>> 0, 7);
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(state / 2 ** 32 / 1.0001);
  };
  return { uniform, normal: () => Math.fround((uniform() + uniform() + uniform() - 1.5) * 2) };
}
