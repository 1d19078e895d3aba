/** Arithmetic on single elements, with broadcasting. */

import { broadcastShapes, broadcastStrides, sameShape, shapeError, sizeOf, walk } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { cast, equal, greater } from "./comparison.ts";
import { errorFunction } from "./error-function.ts";
import { broadcastSource, broadcastTo } from "./layout.ts";
import { sumTo } from "./reductions.ts";
import { constantValue, type TensorLike, toTensor, zeros } from "./sources.ts";

type BinaryGradient = (a: Tensor, b: Tensor, dy: Tensor, y: Tensor) => [Tensor, Tensor];

/** Constants that leave the other side as it is, such as 0 on either side of a sum. */
interface Neutral {
  left?: number;
  right?: number;
}

function binaryOp(
  name: string,
  onnx: string,
  of: (a: number, b: number) => number,
  gradient: BinaryGradient,
  neutral: Neutral = {},
): Op {
  return {
    name,
    gradient(node, dy) {
      const [a, b] = node.inputs as [Tensor, Tensor];
      const [da, db] = gradient(a, b, dy, node);
      return [sumTo(da, a.shape), sumTo(db, b.shape)];
    },
    interpret: (node, inputs) => mapPairs(node, inputs, of),
    lower(node) {
      const [a, b] = node.inputs as [Tensor, Tensor];
      if (sameShape(a.shape, node.shape) && neutral.right !== undefined && constantValue(b) === neutral.right)
        return a;
      if (sameShape(b.shape, node.shape) && neutral.left !== undefined && constantValue(a) === neutral.left)
        return b;
      return lowerBroadcasts(node);
    },
    emit: (_node, inputs, emitter) => emitter.node(onnx, inputs),
  };
}

/** Applies `of` to two inputs that broadcast to the node's shape. */
export function mapPairs(
  node: Tensor,
  inputs: readonly Float64Array[],
  of: (a: number, b: number) => number,
): Float64Array {
  const [a, b] = inputs as [Float64Array, Float64Array];
  const result = new Float64Array(sizeOf(node.shape));
  walk(node.shape, broadcastStrides(node.inputs[0]!.shape, node.shape), (flat, offset) => {
    result[flat] = a[offset]!;
  });
  walk(node.shape, broadcastStrides(node.inputs[1]!.shape, node.shape), (flat, offset) => {
    result[flat] = of(result[flat]!, b[offset]!);
  });
  return result;
}

/** Builds a node whose two inputs broadcast. */
export function broadcasting(op: Op, a: Tensor, b: Tensor, dtype: Tensor["dtype"]): Tensor {
  if (a.dtype !== b.dtype) throw shapeError(op.name, "inputs of one type", a, b);
  return new Tensor(op, [a, b], {}, broadcastShapes(op.name, a.shape, b.shape), dtype);
}

/** The same node without explicit broadcasts of its inputs, which it does itself. */
export function lowerBroadcasts(node: Tensor): Tensor | undefined {
  const [a, b] = node.inputs as [Tensor, Tensor];
  const left = withoutBroadcast(a, b.shape, node.shape);
  const right = withoutBroadcast(b, left.shape, node.shape);
  return left === a && right === b
    ? undefined
    : new Tensor(node.op, [left, right], {}, node.shape, node.dtype);
}

function withoutBroadcast(tensor: Tensor, other: Shape, result: Shape): Tensor {
  const source = broadcastSource(tensor);
  const stillFits =
    source !== undefined && sameShape(broadcastShapes("broadcast", source.shape, other), result);
  return stillFits ? source : tensor;
}

function floats(op: Op, a: Tensor, b: Tensor): Tensor {
  if (a.dtype !== "float") throw shapeError(op.name, "float inputs; use cast", a, b);
  return broadcasting(op, a, b, "float");
}

const addOp = binaryOp(
  "add",
  "Add",
  (a, b) => a + b,
  (_a, _b, dy) => [dy, dy],
  { left: 0, right: 0 },
);
const subOp = binaryOp(
  "sub",
  "Sub",
  (a, b) => a - b,
  (_a, _b, dy) => [dy, neg(dy)],
  { right: 0 },
);
const mulOp = binaryOp(
  "mul",
  "Mul",
  (a, b) => a * b,
  (a, b, dy) => [mul(dy, b), mul(dy, a)],
  { left: 1, right: 1 },
);
const divOp = binaryOp(
  "div",
  "Div",
  (a, b) => a / b,
  (_a, b, dy, y) => [div(dy, b), neg(div(mul(dy, y), b))],
  { right: 1 },
);
const maximumOp = binaryOp("maximum", "Max", Math.max, (a, b, dy) => shareByOrder(dy, a, b));
const minimumOp = binaryOp("minimum", "Min", Math.min, (a, b, dy) => shareByOrder(dy, b, a));

/** The larger side takes the gradient; equal sides take half each. */
function shareByOrder(dy: Tensor, larger: Tensor, smaller: Tensor): [Tensor, Tensor] {
  const share = add(cast(greater(larger, smaller), "float"), mul(cast(equal(larger, smaller), "float"), 0.5));
  return [mul(dy, share), mul(dy, sub(1, share))];
}

export function add(a: TensorLike, b: TensorLike): Tensor {
  return floats(addOp, toTensor(a), toTensor(b));
}

export function sub(a: TensorLike, b: TensorLike): Tensor {
  return floats(subOp, toTensor(a), toTensor(b));
}

export function mul(a: TensorLike, b: TensorLike): Tensor {
  return floats(mulOp, toTensor(a), toTensor(b));
}

export function div(a: TensorLike, b: TensorLike): Tensor {
  return floats(divOp, toTensor(a), toTensor(b));
}

export function maximum(a: TensorLike, b: TensorLike): Tensor {
  return floats(maximumOp, toTensor(a), toTensor(b));
}

export function minimum(a: TensorLike, b: TensorLike): Tensor {
  return floats(minimumOp, toTensor(a), toTensor(b));
}

type UnaryGradient = (x: Tensor, y: Tensor, dy: Tensor) => Tensor;

export function unary(name: string, onnx: string, of: (x: number) => number, gradient?: UnaryGradient) {
  const op: Op = {
    name,
    gradient: (node, dy) => [gradient?.(node.inputs[0]!, node, dy)],
    interpret: (_node, [x]) => x!.map(of),
    lower(node) {
      const source = broadcastSource(node.inputs[0]!);
      return source && broadcastTo(new Tensor(op, [source], {}, source.shape), node.shape);
    },
    emit: (_node, inputs, emitter) => emitter.node(onnx, inputs),
  };
  return (value: TensorLike): Tensor => {
    const x = toTensor(value);
    if (x.dtype !== "float") throw shapeError(name, "a float input; use cast", x);
    return new Tensor(op, [x], {}, x.shape);
  };
}

export const neg = unary(
  "neg",
  "Neg",
  (x) => -x,
  (_x, _y, dy) => neg(dy),
);
export const exp = unary("exp", "Exp", Math.exp, (_x, y, dy) => mul(dy, y));
export const log = unary("log", "Log", Math.log, (x, _y, dy) => div(dy, x));
export const sqrt = unary("sqrt", "Sqrt", Math.sqrt, (_x, y, dy) => div(mul(dy, 0.5), y));
export const abs = unary("abs", "Abs", Math.abs, (x, _y, dy) => mul(dy, sign(x)));
export const sign = unary("sign", "Sign", Math.sign);
export const floor = unary("floor", "Floor", Math.floor);
export const erf = unary("erf", "Erf", errorFunction, (x, _y, dy) =>
  mul(dy, mul(exp(neg(mul(x, x))), 2 / Math.sqrt(Math.PI))),
);

interface PowerAttributes {
  exponent: number;
}

const powerOp: Op<PowerAttributes> = {
  name: "power",
  gradient(node, dy) {
    const { exponent } = node.attributes;
    // A constant, also at 0, where the formula would give 0 · ∞.
    if (exponent === 0) return [zeros(node.shape)];
    return [mul(mul(dy, exponent), power(node.inputs[0]!, exponent - 1))];
  },
  interpret: (node, [x]) => x!.map((value) => value ** node.attributes.exponent),
  emit: (node, [x], emitter) => emitter.node("Pow", [x!, emitter.scalar(node.attributes.exponent)]),
};

/** x to a constant exponent; the exponent has no gradient. */
export function power(x: Tensor, exponent: number): Tensor {
  if (exponent === 1) return x;
  if (exponent === 2) return mul(x, x);
  return new Tensor(powerOp, [x], { exponent }, x.shape);
}

export function square(x: Tensor): Tensor {
  return mul(x, x);
}
