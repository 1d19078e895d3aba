import { expect, test } from "vitest";
import {
  add,
  broadcastTo,
  constant,
  conv2d,
  exp,
  grad,
  input,
  mean,
  mul,
  pad,
  relu,
  reshape,
  stopGradient,
  sum,
  transpose,
} from "./expressions.ts";
import { optimise } from "./optimise.ts";
import { emitProgram } from "./program.ts";
import { topologicalOrder } from "./tensor.ts";

const names = (...outputs: Parameters<typeof optimise>[0]) =>
  topologicalOrder(optimise(outputs)).map((node) => node.op.name);

test("equal expressions become one node", () => {
  const x = input("x", [2, 3]);
  const twice = add(exp(mul(x, 2)), exp(mul(input("x", [2, 3]), 2)));
  expect(names(twice)).toEqual(["input", "constant", "mul", "exp", "add"]);
});

test("equal inputs, different attributes: two nodes", () => {
  const x = input("x", [2, 3]);
  expect(
    names(add(sum(x, [0], { keep: true }), sum(x, [1], { keep: true }))).filter((name) => name === "sum"),
  ).toHaveLength(2);
});

test("infinities and the sign of zero keep nodes apart", () => {
  const x = input("x", [2]);
  const padded = [Infinity, -Infinity, Number.NaN, 0, -0].map((value) => pad(x, [1], [0], value));
  expect(new Set(optimise(padded)).size).toBe(padded.length);
  expect(new Set(optimise([pad(x, [1], [0], Infinity), pad(x, [1], [0], Infinity)])).size).toBe(1);
  expect(new Set(optimise([constant([0], [1]), constant([-0], [1])])).size).toBe(2);
});

test("a backward pass shares the forward pass's nodes", () => {
  const x = input("x", [2, 3]);
  const loss = sum(exp(x));
  expect(names(loss, grad(loss, [x])[0]!).filter((name) => name === "exp")).toHaveLength(1);
});

test("small constants are folded, and neutral elements disappear", () => {
  const x = input("x", [2]);
  expect(names(mul(x, exp(constant([0, 1], [2]))))).toEqual(["input", "constant", "mul"]);
  expect(optimise([add(mul(x, 1), 0)])).toEqual([x]);
});

test("what no output needs is not emitted", () => {
  const x = input("x", [2, 3, 8, 8]);
  const w = input("w", [4, 3, 3, 3]);
  const loss = mean(relu(conv2d(x, w)));
  const [filterGradient] = grad(loss, [w]);
  const operators = names(filterGradient!);
  expect(operators).not.toContain("conv2dInputGradient");
  expect(emitProgram({ outputs: { loss: stopGradient(loss) } }).nodeCount).toBeLessThan(6);
});

test("reshapes, transposes and broadcasts in a row become one, after gradients were taken", () => {
  const x = input("x", [2, 3]);
  expect(names(reshape(reshape(x, [6]), [3, 2]))).toEqual(["input", "reshape"]);
  expect(names(transpose(transpose(x)))).toEqual(["input"]);
  expect(names(mul(broadcastTo(input("y", [3]), [2, 3]), x))).toEqual(["input", "input", "mul"]);
  const wide = broadcastTo(input("y", [3]), [2, 3]);
  const [gradient] = grad(sum(mul(wide, x)), [wide]);
  expect(optimise([gradient!])).toEqual([x]);
});

test("a constant can be differentiated by, neutral or not", () => {
  const one = constant([1], []);
  const x = input("x", [2]);
  const [slope] = grad(sum(mul(x, one)), [one]);
  expect(names(slope!)).toEqual(["input", "sum", "reshape"]);
});
