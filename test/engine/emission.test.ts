/** Every op, and every op's gradient, emitted as ONNX and run, against the interpreter. */

import { describe, expect, test } from "vitest";
import { Executable } from "../../src/engine/executable.ts";
import type { Tensor } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import type { Data } from "../../src/engine/runtime.ts";
import { buildCase, gradientsOf, testRandom } from "./helpers.ts";
import { opCases } from "./op-cases.ts";

/** Float32 keeps 6e-8 of each number; sums of a few hundred products and the runtime's fast exp and erf add to that. */
const tolerance = 3e-6;

function toRuntime(tensor: Tensor, values: Float64Array): Data {
  return tensor.dtype === "int" ? Int32Array.from(values) : Float32Array.from(values);
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(actual.length, what).toBe(expected.length);
  const scale = Math.max(1, ...Array.from(expected, Math.abs));
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i]! - expected[i]!) / scale;
    expect(error, `${what}[${i}]: ${actual[i]} instead of ${expected[i]}`).toBeLessThan(tolerance);
  }
}

describe("emitted ops agree with the interpreter", () => {
  test.each(opCases)("$name", async (opCase) => {
    const built = buildCase(opCase);
    const gradients = opCase.differentiable === false ? [] : gradientsOf(built);
    const wanted = [built.output, ...gradients];
    const outputs = Object.fromEntries(wanted.map((tensor, i) => [`y${i}`, tensor]));
    const executable = await Executable.compile({ outputs });
    // The interpreter gets what float32 keeps of the inputs, so that both start from the same numbers.
    const feeds = Object.fromEntries(
      built.inputs.map((tensor, i) => [`x${i}`, toRuntime(tensor, built.feeds[`x${i}`]!)]),
    );
    const actual = await executable.run(feeds, { random: testRandom });
    const expected = interpret(wanted, feeds, testRandom);
    await executable.close();
    for (const [i, values] of expected.entries())
      expectClose(actual[`y${i}`]!, values, i === 0 ? "output" : `gradient ${i}`);
  });
});
