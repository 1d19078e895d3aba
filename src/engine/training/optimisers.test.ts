/** Optimisers against their papers' formulas, computed step by step in float64. */

import { expect, test } from "vitest";
import { grad, input, mul, square, stateInput, sub, sum } from "../expressions.ts";
import { interpret } from "../interpret.ts";
import { State } from "../state.ts";
import { filled } from "./initialisers.ts";
import { adam, adamw, type Optimiser, sgd } from "./optimisers.ts";
import type { Parameter } from "./parameters.ts";
import { averageName, clipByGlobalNorm, globalNorm, type StepOptions, trainingStep } from "./step.ts";

const target = [0.5, -1];
const curvature = [1, 3];

/** Minimises Σ curvature·(p − target)², whose gradient is 2·curvature·(p − target), and returns p after each step. */
function run(optimiser: Optimiser, steps: number, extra: Partial<StepOptions> = {}) {
  const tensor = stateInput("p", [2]);
  const parameter: Parameter = { name: "p", tensor, initial: filled(0), trained: true };
  const loss = sum(mul(square(sub(tensor, input("target", [2]))), input("curvature", [2])));
  const step = trainingStep({ loss, parameters: [parameter], optimiser, ...extra });
  const state = new State();
  state.set("p", [2, 2]);
  step.prepare(state);
  const values: Record<string, ArrayLike<number>> = Object.fromEntries(
    state.names.map((name) => [name, state.get(name)]),
  );
  const names = Object.keys(step.program.next!);
  const path: number[][] = [];
  for (let i = 0; i < steps; i++) {
    const results = interpret(Object.values(step.program.next!), {
      ...values,
      ...scalars(optimiser, i),
      target,
      curvature,
    });
    for (const [k, name] of names.entries()) values[name] = results[k]!;
    path.push(Array.from(values.p!));
  }
  return { path, values };
}

function scalars(optimiser: Optimiser, step: number): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(optimiser.scalars(step, 0.1)).map(([name, value]) => [name, [value]]),
  );
}

const gradientAt = (p: readonly number[]) => p.map((value, i) => 2 * curvature[i]! * (value - target[i]!));

test("sgd with momentum, Nesterov and L2", () => {
  const { path } = run(sgd({ momentum: 0.9, nesterov: true, weightDecay: 0.1 }), 4);
  let p = [2, 2];
  let velocity = [0, 0];
  for (const actual of path) {
    const slope = gradientAt(p).map((value, i) => value + 0.1 * p[i]!);
    velocity = velocity.map((value, i) => 0.9 * value + slope[i]!);
    p = p.map((value, i) => value - 0.1 * (slope[i]! + 0.9 * velocity[i]!));
    for (const i of [0, 1]) expect(actual[i]).toBeCloseTo(p[i]!, 12);
  }
});

test.each([
  { name: "adam with L2", optimiser: adam({ weightDecay: 0.1 }), decoupled: 0, l2: 0.1 },
  { name: "adamw", optimiser: adamw({ weightDecay: 0.1 }), decoupled: 0.1, l2: 0 },
])("$name: algorithm 1 with bias correction", ({ optimiser, decoupled, l2 }) => {
  const { path } = run(optimiser, 5);
  let p = [2, 2];
  let m = [0, 0];
  let v = [0, 0];
  for (const [t, actual] of path.entries()) {
    const slope = gradientAt(p).map((value, i) => value + l2 * p[i]!);
    m = m.map((value, i) => 0.9 * value + 0.1 * slope[i]!);
    v = v.map((value, i) => 0.999 * value + 0.001 * slope[i]! ** 2);
    p = p.map((value, i) => {
      const first = m[i]! / (1 - 0.9 ** (t + 1));
      const second = v[i]! / (1 - 0.999 ** (t + 1));
      return value * (1 - 0.1 * decoupled) - (0.1 * first) / (Math.sqrt(second) + 1e-8);
    });
    for (const i of [0, 1]) expect(actual[i]).toBeCloseTo(p[i]!, 10);
  }
});

test("gradients are clipped by their common norm, and only when they exceed it", () => {
  const x = input("x", [2]);
  const gradients = grad(sum(square(x)), [x]);
  const of = (limit: number) => [...interpret(clipByGlobalNorm(gradients, limit), { x: [3, 4] })[0]!];
  expect(interpret([globalNorm(gradients)], { x: [3, 4] })[0]![0]).toBeCloseTo(10, 12);
  expect(of(5)[0]).toBeCloseTo(3, 12);
  expect(of(5)[1]).toBeCloseTo(4, 12);
  expect(of(20)).toEqual([6, 8]);
});

test("averages follow the parameters with their decay", () => {
  const { path, values } = run(sgd(), 3, { averageDecay: 0.8 });
  let average = [2, 2];
  for (const p of path) average = average.map((value, i) => 0.8 * value + 0.2 * p[i]!);
  expect(values[averageName("p")]![0]).toBeCloseTo(average[0]!, 12);
  expect(values[averageName("p")]![1]).toBeCloseTo(average[1]!, 12);
});
