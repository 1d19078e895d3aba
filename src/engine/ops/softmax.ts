/** Softmax and its logarithm along one axis. */

import { normaliseAxis, shapeError, sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { exp, mul, sub } from "./elementwise.ts";
import { sum } from "./reductions.ts";

interface SoftmaxAxis {
  axis: number;
}

/** Calls `visit` with the flat offsets of each line along an axis. */
function lines(node: Tensor<SoftmaxAxis>, visit: (offsets: number[]) => void): void {
  const { axis } = node.attributes;
  const length = node.shape[axis]!;
  const inner = sizeOf(node.shape.slice(axis + 1));
  for (let line = 0; line < sizeOf(node.shape) / length; line++) {
    const start = Math.floor(line / inner) * length * inner + (line % inner);
    visit(Array.from({ length }, (_, i) => start + i * inner));
  }
}

function interpretLogSoftmax(node: Tensor<SoftmaxAxis>, x: Float64Array): Float64Array {
  const result = new Float64Array(x.length);
  lines(node, (offsets) => {
    const largest = Math.max(...offsets.map((at) => x[at]!));
    const total = offsets.reduce((sum, at) => sum + Math.exp(x[at]! - largest), 0);
    for (const at of offsets) result[at] = x[at]! - largest - Math.log(total);
  });
  return result;
}

const softmaxOp: Op<SoftmaxAxis> = {
  name: "softmax",
  gradient(node, dy) {
    const weighted = mul(dy, node);
    return [sub(weighted, mul(node, sum(weighted, [node.attributes.axis], { keep: true })))];
  },
  interpret: (node, [x]) => interpretLogSoftmax(node, x!).map(Math.exp),
  emit: (node, inputs, emitter) => emitter.node("Softmax", inputs, { axis: node.attributes.axis }),
};

const logSoftmaxOp: Op<SoftmaxAxis> = {
  name: "logSoftmax",
  gradient: (node, dy) => [sub(dy, mul(exp(node), sum(dy, [node.attributes.axis], { keep: true })))],
  interpret: (node, [x]) => interpretLogSoftmax(node, x!),
  emit: (node, inputs, emitter) => emitter.node("LogSoftmax", inputs, { axis: node.attributes.axis }),
};

function along(op: Op<SoftmaxAxis>, x: Tensor, axis: number): Tensor {
  if (x.dtype !== "float") throw shapeError(op.name, "a float input", x);
  return new Tensor(op, [x], { axis: normaliseAxis(op.name, x.shape, axis) }, x.shape);
}

export function softmax(x: Tensor, axis = -1): Tensor {
  return along(softmaxOp, x, axis);
}

export function logSoftmax(x: Tensor, axis = -1): Tensor {
  return along(logSoftmaxOp, x, axis);
}
