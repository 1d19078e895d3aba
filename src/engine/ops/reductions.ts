/** Sums, means, maxima and what is made of them, over some axes or all. */

import { normaliseAxes, normaliseAxis, sameShape, shapeError, sizeOf, stridesOf, walk } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { cast, equal } from "./comparison.ts";
import { add, div, exp, log, mul, neg, sub } from "./elementwise.ts";
import { stopGradient } from "./gradient-control.ts";
import { broadcastTo, reshape } from "./layout.ts";
import { sumOfMaxGradient } from "./pooling-gradient.ts";

interface ReductionAttributes {
  axes: readonly number[];
}

export interface ReductionOptions {
  /** Keep reduced axes with length one. */
  keep?: boolean;
}

/** Nodes always keep reduced axes, so that gradients broadcast; a reshape drops them. */
function reduction(
  op: Op<ReductionAttributes>,
  x: Tensor,
  axes: readonly number[] | undefined,
  keep = false,
): Tensor {
  if (x.dtype !== "float") throw shapeError(op.name, "a float input; use cast", x);
  const reduced = normaliseAxes(op.name, x.shape, axes).filter((axis) => x.shape[axis] !== 1);
  const shape = x.shape.map((length, axis) => (reduced.includes(axis) ? 1 : length));
  const node = reduced.length === 0 ? x : new Tensor(op, [x], { axes: reduced }, shape);
  if (keep) return node;
  const dropped = normaliseAxes(op.name, x.shape, axes);
  return reshape(
    node,
    shape.filter((_, axis) => !dropped.includes(axis)),
  );
}

function fold(
  node: Tensor,
  x: Float64Array,
  initial: number,
  step: (total: number, value: number) => number,
): Float64Array {
  const result = new Float64Array(sizeOf(node.shape)).fill(initial);
  const own = stridesOf(node.shape);
  const source = node.inputs[0]!.shape;
  walk(
    source,
    own.map((stride, axis) => (node.shape[axis] === source[axis] ? stride : 0)),
    (flat, offset) => {
      result[offset] = step(result[offset]!, x[flat]!);
    },
  );
  return result;
}

const sumOp: Op<ReductionAttributes> = {
  name: "sum",
  gradient: (node, dy) => [broadcastTo(dy, node.inputs[0]!.shape)],
  interpret: (node, [x]) => fold(node, x!, 0, (total, value) => total + value),
  lower: ({ inputs: [x], attributes: { axes } }) => sumOfMaxGradient(x!, axes),
  emit: (node, [x], emitter) =>
    emitter.node("ReduceSum", [x!, emitter.integers(node.attributes.axes)], { keepdims: 1 }),
};

export function sum(x: Tensor, axes?: readonly number[], { keep = false }: ReductionOptions = {}): Tensor {
  return reduction(sumOp, x, axes, keep);
}

export function mean(x: Tensor, axes?: readonly number[], options: ReductionOptions = {}): Tensor {
  const count = sizeOf(normaliseAxes("mean", x.shape, axes).map((axis) => x.shape[axis]!));
  return mul(sum(x, axes, options), 1 / count);
}

const maxOp: Op<ReductionAttributes> = {
  name: "max",
  gradient(node, dy) {
    const mask = cast(equal(node.inputs[0]!, node), "float");
    return [mul(mask, div(dy, sum(mask, node.attributes.axes, { keep: true })))];
  },
  interpret: (node, [x]) => fold(node, x!, Number.NEGATIVE_INFINITY, Math.max),
  emit: (node, [x], emitter) =>
    emitter.node("ReduceMax", [x!, emitter.integers(node.attributes.axes)], { keepdims: 1 }),
};

/** The largest element; equal maxima share the gradient. */
export function max(x: Tensor, axes?: readonly number[], { keep = false }: ReductionOptions = {}): Tensor {
  return reduction(maxOp, x, axes, keep);
}

export function min(x: Tensor, axes?: readonly number[], options: ReductionOptions = {}): Tensor {
  return neg(max(neg(x), axes, options));
}

/** Mean squared deviation from the mean, divided by n, or by n − 1 where `unbiased`. */
export function variance(
  x: Tensor,
  axes?: readonly number[],
  { keep = false, unbiased = false }: ReductionOptions & { unbiased?: boolean } = {},
): Tensor {
  const reduced = normaliseAxes("variance", x.shape, axes);
  const count = sizeOf(reduced.map((axis) => x.shape[axis]!));
  const centred = sub(x, mean(x, reduced, { keep: true }));
  return mul(sum(mul(centred, centred), reduced, { keep }), 1 / (unbiased ? count - 1 : count));
}

/** log Σ exp(x), shifted by the maximum so that nothing overflows. */
export function logSumExp(
  x: Tensor,
  axes?: readonly number[],
  { keep = false }: ReductionOptions = {},
): Tensor {
  const largest = stopGradient(max(x, axes, { keep: true }));
  const result = add(log(sum(exp(sub(x, largest)), axes, { keep: true })), largest);
  if (keep) return result;
  const dropped = normaliseAxes("logSumExp", x.shape, axes);
  return reshape(
    result,
    result.shape.filter((_, axis) => !dropped.includes(axis)),
  );
}

/** Sums a broadcast gradient back to the shape it was stretched from. */
export function sumTo(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const extra = x.shape.length - shape.length;
  const axes = x.shape.flatMap((length, axis) =>
    axis < extra || (shape[axis - extra] === 1 && length !== 1) ? [axis] : [],
  );
  return reshape(sum(x, axes, { keep: true }), shape);
}

const argmaxOp: Op<{ axis: number }> = {
  name: "argmax",
  interpret(node, [x]) {
    const { axis } = node.attributes;
    const source = node.inputs[0]!.shape;
    const length = source[axis]!;
    const inner = sizeOf(source.slice(axis + 1));
    return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
      const start = Math.floor(flat / inner) * length * inner + (flat % inner);
      let best = 0;
      for (let i = 1; i < length; i++) if (x![start + i * inner]! > x![start + best * inner]!) best = i;
      return best;
    });
  },
  emit: (node, [x], emitter) =>
    emitter.node("Cast", [emitter.node("ArgMax", [x!], { axis: node.attributes.axis, keepdims: 0 })], {
      to: 6,
    }),
};

/** Index of the first largest element along an axis, as integers. */
export function argmax(x: Tensor, axis: number): Tensor {
  const at = normaliseAxis("argmax", x.shape, axis);
  return new Tensor(
    argmaxOp,
    [x],
    { axis: at },
    x.shape.filter((_, i) => i !== at),
    "int",
  );
}
