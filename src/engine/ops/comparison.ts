/** Comparisons, logic, choices and changes of type. No gradient flows through a comparison. */

import { broadcastShapes, broadcastStrides, shapeError, sizeOf, walk } from "../shapes.ts";
import { type DType, type Op, Tensor } from "../tensor.ts";
import { broadcasting, lowerBroadcasts, mapPairs } from "./elementwise.ts";
import { sumTo } from "./reductions.ts";
import { type TensorLike, toTensor } from "./sources.ts";

function comparison(name: string, onnx: string, of: (a: number, b: number) => boolean, dtype?: DType) {
  const op: Op = {
    name,
    interpret: (node, inputs) => mapPairs(node, inputs, (a, b) => (of(a, b) ? 1 : 0)),
    lower: lowerBroadcasts,
    emit: (_node, inputs, emitter) => emitter.node(onnx, inputs),
  };
  return (a: TensorLike, b: TensorLike): Tensor => {
    const [x, y] = [toTensor(a), toTensor(b)];
    if (dtype !== undefined && (x.dtype !== dtype || y.dtype !== dtype)) {
      throw shapeError(name, `${dtype} inputs`, x, y);
    }
    return broadcasting(op, x, y, "bool");
  };
}

export const equal = comparison("equal", "Equal", (a, b) => a === b);
export const greater = comparison("greater", "Greater", (a, b) => a > b);
export const greaterOrEqual = comparison("greaterOrEqual", "GreaterOrEqual", (a, b) => a >= b);
export const less = comparison("less", "Less", (a, b) => a < b);
export const lessOrEqual = comparison("lessOrEqual", "LessOrEqual", (a, b) => a <= b);
export const and = comparison("and", "And", (a, b) => a === 1 && b === 1, "bool");
export const or = comparison("or", "Or", (a, b) => a === 1 || b === 1, "bool");

const notOp: Op = {
  name: "not",
  interpret: (_node, [x]) => x!.map((value) => 1 - value),
  emit: (_node, inputs, emitter) => emitter.node("Not", inputs),
};

export function not(condition: Tensor): Tensor {
  if (condition.dtype !== "bool") throw shapeError("not", "a bool input", condition);
  return new Tensor(notOp, [condition], {}, condition.shape, "bool");
}

const whereOp: Op = {
  name: "where",
  gradient(node, dy) {
    const [condition, a, b] = node.inputs as [Tensor, Tensor, Tensor];
    return [undefined, sumTo(where(condition, dy, 0), a.shape), sumTo(where(condition, 0, dy), b.shape)];
  },
  interpret(node, inputs) {
    const [condition, a, b] = node.inputs.map((tensor, i) => {
      const spread = new Float64Array(sizeOf(node.shape));
      walk(node.shape, broadcastStrides(tensor.shape, node.shape), (flat, offset) => {
        spread[flat] = inputs[i]![offset]!;
      });
      return spread;
    });
    return condition!.map((value, i) => (value === 1 ? a![i]! : b![i]!));
  },
  emit: (_node, inputs, emitter) => emitter.node("Where", inputs),
};

/** `a` where the condition holds, else `b`. */
export function where(condition: Tensor, a: TensorLike, b: TensorLike): Tensor {
  const [x, y] = [toTensor(a), toTensor(b)];
  if (condition.dtype !== "bool" || x.dtype !== y.dtype) {
    throw shapeError("where", "a bool condition and two inputs of one type", condition, x, y);
  }
  const shape = broadcastShapes("where", broadcastShapes("where", x.shape, y.shape), condition.shape);
  return new Tensor(whereOp, [condition, x, y], {}, shape, x.dtype);
}

const castOp: Op<{ dtype: DType }> = {
  name: "cast",
  interpret: (node, [x]) =>
    node.dtype === "bool"
      ? x!.map((value) => (value === 0 ? 0 : 1))
      : node.dtype === "int"
        ? x!.map(Math.trunc)
        : x!,
  emit: (node, inputs, emitter) =>
    emitter.node("Cast", inputs, { to: { float: 1, int: 6, bool: 9, byte: 2 }[node.dtype] }),
};

/** Changes the type: to bool means "is not zero", to int cuts towards zero. No gradient flows. */
export function cast(x: Tensor, dtype: DType): Tensor {
  return x.dtype === dtype ? x : new Tensor(castOp, [x], { dtype }, x.shape, dtype);
}

const clipOp: Op<{ low: number; high: number }> = {
  name: "clip",
  gradient(node, dy) {
    const { low, high } = node.attributes;
    const x = node.inputs[0]!;
    const inside = and(greaterOrEqual(x, low), lessOrEqual(x, high));
    return [where(inside, dy, 0)];
  },
  interpret: ({ attributes: { low, high } }, [x]) => x!.map((value) => Math.min(Math.max(value, low), high)),
  emit: ({ attributes: { low, high } }, [x], emitter) =>
    emitter.node("Clip", [x!, emitter.scalar(low), emitter.scalar(high)]),
};

/** Limits values to [low, high]; the gradient passes inside, bounds included. */
export function clip(x: Tensor, low: number, high: number): Tensor {
  if (x.dtype !== "float" || !(low <= high)) throw shapeError("clip", "a float input and low ≤ high", x);
  return new Tensor(clipOp, [x], { low, high }, x.shape);
}
