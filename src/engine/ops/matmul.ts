/** Matrix products, plain and batched. */

import { broadcastShapes, broadcastStrides, shapeError, sizeOf, walk } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { reshape, transpose } from "./layout.ts";
import { sumTo } from "./reductions.ts";

export const matmulOp: Op = {
  name: "matmul",
  gradient(node, dy) {
    const [a, b] = node.inputs as [Tensor, Tensor];
    return [sumTo(matmul(dy, transpose(b)), a.shape), sumTo(matmul(transpose(a), dy), b.shape)];
  },
  interpret(node, [a, b]) {
    const [left, right] = node.inputs as [Tensor, Tensor];
    const [rows, columns] = node.shape.slice(-2) as [number, number];
    const inner = left.shape.at(-1)!;
    const result = new Float64Array(sizeOf(node.shape));
    const batch = node.shape.slice(0, -2);
    const bases = [left, right].map((tensor) => matrixOffsets(tensor.shape, batch)) as [number[], number[]];
    for (const [index, startA] of bases[0].entries()) {
      const startB = bases[1][index]!;
      for (let row = 0; row < rows; row++) {
        for (let k = 0; k < inner; k++) {
          const factor = a![startA + row * inner + k]!;
          const start = (index * rows + row) * columns;
          for (let column = 0; column < columns; column++) {
            result[start + column]! += factor * b![startB + k * columns + column]!;
          }
        }
      }
    }
    return result;
  },
  emit: (_node, inputs, emitter) => emitter.node("MatMul", inputs),
};

/** Where the matrix of each batch element begins. */
function matrixOffsets(shape: Shape, batch: Shape): number[] {
  const own = shape.slice(0, -2);
  const matrix = sizeOf(shape.slice(-2));
  const offsets: number[] = [];
  walk(batch, broadcastStrides(own, batch), (_flat, offset) => offsets.push(offset * matrix));
  return offsets;
}

/** [..., m, k] × [..., k, n] → [..., m, n]; batch axes broadcast. */
export function matmul(a: Tensor, b: Tensor): Tensor {
  const fits = a.shape.length >= 2 && b.shape.length >= 2 && a.shape.at(-1) === b.shape.at(-2);
  if (!fits || a.dtype !== "float" || b.dtype !== "float") {
    throw shapeError("matmul", "[…, m, k] and […, k, n], floats", a, b);
  }
  const [rows, columns] = [a.shape.at(-2)!, b.shape.at(-1)!];
  if (a.shape.length > 2 && b.shape.length === 2) {
    const flat = reshape(a, [sizeOf(a.shape.slice(0, -1)), a.shape.at(-1)!]);
    return reshape(matmul(flat, b), [...a.shape.slice(0, -1), columns]);
  }
  const batch = broadcastShapes("matmul", a.shape.slice(0, -2), b.shape.slice(0, -2));
  return new Tensor(matmulOp, [a, b], {}, [...batch, rows, columns]);
}
