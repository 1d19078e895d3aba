/** Every op's gradient against central differences in float64. */

import { describe, expect, test } from "vitest";
import { add, elu, grad, input, mul, sum } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { type BuiltCase, buildCase, gradientsOf, testRandom } from "./helpers.ts";
import { opCases } from "./op-cases.ts";

/** With a step h the error of a central difference is h²·f‴/6 plus 1e-16/h: both about 1e-9 here. */
const step = 1e-5;
const tolerance = 2e-7;

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  const scale = Math.max(1, ...Array.from(expected, Math.abs));
  for (let i = 0; i < expected.length; i++) {
    const error = Math.abs(actual[i]! - expected[i]!) / scale;
    expect(error, `${what}[${i}]: ${actual[i]} instead of ${expected[i]}`).toBeLessThan(tolerance);
  }
}

/** Elements of an input to look at: all of a small one, an even spread over a large one. */
function places(length: number): number[] {
  const stride = Math.max(1, Math.floor(length / 48));
  return Array.from({ length: Math.ceil(length / stride) }, (_, i) => i * stride);
}

/** Derivative of a scalar expression with respect to elements of an input. */
function differences(built: BuiltCase, loss: BuiltCase["loss"], name: string): number[] {
  const values = built.feeds[name]!;
  const at = (i: number, shift: number) => {
    const moved = values.slice();
    moved[i]! += shift;
    return interpret([loss], { ...built.feeds, [name]: moved }, testRandom)[0]![0]!;
  };
  return places(values.length).map((i) => (at(i, step) - at(i, -step)) / (2 * step));
}

function taken(values: Float64Array): number[] {
  return places(values.length).map((i) => values[i]!);
}

const checked = opCases.filter((opCase) => opCase.differentiable !== false);

test.each([1, 0.7])("elu's slope at 0 is that of its lower branch: %d", (alpha) => {
  const x = input("x", [3]);
  const [slope] = grad(sum(elu(x, alpha)), [x]);
  // Float64 keeps e^1000 = ∞ out of the upper branch only if it is never computed.
  const [at] = interpret([slope!], { x: Float64Array.of(0, 1000, -1e-9) });
  expect(at![0]).toBe(alpha);
  expect(at![1]).toBe(1);
  expect(at![2]).toBeCloseTo(alpha, 8);
});

describe("first gradients", () => {
  test.each(checked)("$name", (opCase) => {
    const built = buildCase(opCase);
    const gradients = interpret(gradientsOf(built), built.feeds, testRandom);
    for (const [k, i] of built.floats.entries()) {
      expectClose(taken(gradients[k]!), differences(built, built.loss, `x${i}`), `gradient of input ${i}`);
    }
  });
});

describe("gradients of gradients", () => {
  test.each(checked)("$name", (opCase) => {
    const built = buildCase(opCase);
    const parameters = built.floats.map((i) => built.inputs[i]!);
    const squares = gradientsOf(built).map((gradient) => sum(mul(gradient, gradient)));
    const penalty = squares.reduce(add);
    const second = interpret(grad(penalty, parameters, { unused: "zero" }), built.feeds, testRandom);
    for (const [k, i] of built.floats.entries()) {
      expectClose(taken(second[k]!), differences(built, penalty, `x${i}`), `second gradient of input ${i}`);
    }
  });
});
