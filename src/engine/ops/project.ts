/** A matrix product along the last axis, whatever stands before it: what a linear layer does to every token or pixel. */

import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { reshape, transpose } from "./layout.ts";
import { matmul, matmulOp } from "./matmul.ts";

/** [..., n] → [everything, n]. */
function flat(x: Tensor): Tensor {
  return reshape(x, [sizeOf(x.shape.slice(0, -1)), x.shape.at(-1)!]);
}

const projectOp: Op = {
  name: "project",
  gradient(node, dy) {
    const [x, w] = node.inputs as [Tensor, Tensor];
    return [project(dy, transpose(w)), matmul(transpose(flat(x)), flat(dy))];
  },
  interpret: (node, inputs) => matmulOp.interpret(node, inputs),
  /** One flat product; where the batch is open, its length may not become part of another. */
  lower(node, { openBatch }) {
    const [x, w] = node.inputs as [Tensor, Tensor];
    return openBatch ? new Tensor(matmulOp, [x, w], {}, node.shape) : matmul(x, w);
  },
};

/** x [..., inputs] × w [inputs, outputs] → [..., outputs]. */
export function project(x: Tensor, w: Tensor): Tensor {
  const fits = x.shape.length >= 2 && w.shape.length === 2 && x.shape.at(-1) === w.shape[0];
  if (!fits || x.dtype !== "float" || w.dtype !== "float") {
    throw shapeError("project", "[…, inputs] and [inputs, outputs], floats", x, w);
  }
  return x.shape.length === 2
    ? matmul(x, w)
    : new Tensor(projectOp, [x, w], {}, [...x.shape.slice(0, -1), w.shape[1]!]);
}
