/** Gradients whose value is known from mathematics. */

import { expect, test } from "vitest";
import * as e from "./expressions.ts";
import { interpret } from "./interpret.ts";

test.each([
  { name: "tiles", shape: [1, 1, 4, 4], options: { kernel: 2 } },
  { name: "overlapping and padded", shape: [1, 1, 5, 5], options: { kernel: 3, stride: 2, padding: 1 } },
])("max-pool with ties, $name: each window's gradient sums to one", ({ shape, options }) => {
  const x = e.input("x", shape);
  const y = e.maxPool2d(x, options);
  const windows = y.shape.reduce((a, b) => a * b, 1);
  const [dx] = e.grad(e.sum(y), [x]);
  for (const value of [0, 1.5, -2]) {
    const feeds = { x: new Float64Array(shape[2]! * shape[3]!).fill(value) };
    const gradient = interpret([dx!], feeds)[0]!;
    expect(gradient.reduce((a, b) => a + b)).toBeCloseTo(windows, 12);
    expect(Math.min(...gradient)).toBeGreaterThan(0);
  }
});

test("equal maxima share the gradient of max, maximum and minimum", () => {
  const x = e.input("x", [3]);
  const y = e.input("y", [3]);
  const feeds = { x: [2, 2, 1], y: [2, 1, 4] };
  const of = (loss: e.Tensor) =>
    interpret(e.grad(loss, [x, y], { unused: "zero" }), feeds).map((g) => [...g]);
  expect(of(e.max(x))[0]).toEqual([0.5, 0.5, 0]);
  expect(of(e.sum(e.maximum(x, y)))).toEqual([
    [0.5, 1, 0],
    [0.5, 0, 1],
  ]);
  expect(of(e.sum(e.minimum(x, y)))[0]).toEqual([0.5, 0, 1]);
});

test("stopGradient and reverseGradient change only what flows back", () => {
  const x = e.input("x", [2]);
  const feeds = { x: [3, -1] };
  const of = (y: e.Tensor) => interpret([y, e.grad(e.sum(y), [x])[0]!], feeds).map((values) => [...values]);
  expect(of(e.mul(e.stopGradient(x), x))).toEqual([
    [9, 1],
    [3, -1],
  ]);
  expect(of(e.reverseGradient(e.mul(x, 2), 0.25))).toEqual([
    [6, -2],
    [-0.5, -0.5],
  ]);
});

test("the penalty of invariant risk minimisation, differentiated through its own gradient", () => {
  // For squared error with features f and targets t, the risk at scale s is mean (s·f − t)², so that
  // d risk / d s at s = 1 is 2·mean f(f − t), and the penalty is its square.
  const w = e.input("w", [2, 1]);
  const x = e.input("x", [3, 2]);
  const t = e.input("t", [3, 1]);
  const scale = e.input("scale", []);
  const features = e.matmul(x, w);
  const risk = e.mean(e.square(e.sub(e.mul(features, scale), t)));
  const [slope] = e.grad(risk, [scale]);
  const penalty = e.square(slope!);
  const [gradient] = e.grad(penalty, [w]);
  const feeds = { w: [0.7, -0.4], x: [1, 2, 0.5, -1, 3, 0.2], t: [1, 0, 2], scale: [1] };

  const rows = [
    [1, 2],
    [0.5, -1],
    [3, 0.2],
  ];
  const f = rows.map((row) => row[0]! * 0.7 + row[1]! * -0.4);
  const direct = (2 / 3) * f.reduce((total, value, i) => total + value * (value - feeds.t[i]!), 0);
  // d direct / d w = (2/3)·Σ (2f − t)·x, and the penalty's gradient is twice the slope times that.
  const expected = [0, 1].map(
    (k) =>
      2 * direct * (2 / 3) * rows.reduce((total, row, i) => total + (2 * f[i]! - feeds.t[i]!) * row[k]!, 0),
  );
  const [actualPenalty, actual] = interpret([penalty, gradient!], feeds);
  expect(actualPenalty![0]).toBeCloseTo(direct ** 2, 12);
  expect(actual![0]).toBeCloseTo(expected[0]!, 12);
  expect(actual![1]).toBeCloseTo(expected[1]!, 12);
});

test("a group that is absent from the batch has mean 0 and no gradient", () => {
  const values = e.input("values", [4]);
  const groups = e.input("groups", [4], "int");
  const means = e.meanByGroup(values, groups, 3);
  const [gradient] = e.grad(e.sum(means), [values]);
  const [result, slope] = interpret([means, gradient!], { values: [1, 3, 5, 7], groups: [0, 0, 2, 0] });
  expect([...result!]).toEqual([11 / 3, 0, 5]);
  expect([...slope!]).toEqual([1 / 3, 1 / 3, 1, 1 / 3]);
});
