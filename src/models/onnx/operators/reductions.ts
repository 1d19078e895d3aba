/** Sums, means and extremes over some axes: an attribute in older operator sets, an input in newer ones. */

import {
  abs,
  argmax,
  constant,
  log,
  logSumExp,
  max,
  mean,
  min,
  mul,
  type ReductionOptions,
  sqrt,
  sum,
  type Tensor,
} from "../../../engine/expressions.ts";
import { normaliseAxes } from "../../../engine/shapes.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";
import { onFloats } from "./elementwise.ts";

type Reduction = (x: Tensor, axes: readonly number[], options: ReductionOptions) => Tensor;

function reducing(of: Reduction) {
  return (call: OperatorCall): Tensor => {
    const x = call.input(0);
    const given = call.listOrInput("axes", 1) ?? [];
    if (given.length === 0 && call.number("noop_with_empty_axes", 0) === 1) return x;
    const axes = normaliseAxes(call.node.operator, x.shape, given.length === 0 ? undefined : given);
    const kept = onFloats([x], (floats) => of(floats, axes, { keep: true }));
    if (call.number("keepdims", 1) === 1) return kept;
    return call.reshape(
      kept,
      kept.shape.filter((_, axis) => !axes.includes(axis)),
    );
  };
}

const squares: Reduction = (x, axes, options) => sum(mul(x, x), axes, options);

/** Of numbers that are known: what sizes are made of. */
function product(call: OperatorCall): Tensor {
  const all = call.listOrInput("axes", 1)?.length ?? call.input(0).shape.length;
  if (all !== call.input(0).shape.length || call.input(0).shape.length > 1)
    throw call.fail({ what: "multiplies along some axes", expected: "a list of constant numbers" });
  const keep = call.number("keepdims", 1) === 1 && call.input(0).shape.length === 1;
  const value = call.numbers(0).reduce((total, each) => total * each, 1);
  return constant([value], keep ? [1] : [], call.input(0).dtype);
}

function largestIndex(call: OperatorCall): Tensor {
  const x = call.input(0);
  const axis = call.number("axis", 0);
  const found = argmax(x.dtype === "float" ? x : onFloats([x], (floats) => mul(floats, 1)), axis);
  if (call.number("keepdims", 1) === 0) return found;
  const [reduced] = normaliseAxes("ArgMax", x.shape, [axis]);
  return call.reshape(
    found,
    x.shape.map((length, i) => (i === reduced ? 1 : length)),
  );
}

export const reductions: OperatorFamily = {
  ArgMax: largestIndex,
  ReduceL1: reducing((x, axes, options) => sum(abs(x), axes, options)),
  ReduceL2: reducing((x, axes, options) => sqrt(squares(x, axes, options))),
  ReduceLogSum: reducing((x, axes, options) => log(sum(x, axes, options))),
  ReduceLogSumExp: reducing(logSumExp),
  ReduceMax: reducing(max),
  ReduceMean: reducing(mean),
  ReduceMin: reducing(min),
  ReduceProd: product,
  ReduceSum: reducing(sum),
  ReduceSumSquare: reducing(squares),
};
