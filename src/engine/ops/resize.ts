/** Changes the resolution of [batch, channels, rows, columns]. */

import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { mul } from "./elementwise.ts";
import { gather } from "./indexing.ts";
import { transpose } from "./layout.ts";
import { matmul } from "./matmul.ts";
import { averagePool2d } from "./pooling.ts";
import { constant } from "./sources.ts";

interface UpsampleAttributes {
  factors: readonly [number, number];
}

const upsampleOp: Op<UpsampleAttributes> = {
  name: "upsampleNearest",
  gradient({ attributes: { factors } }, dy) {
    return [mul(averagePool2d(dy, { kernel: factors }), factors[0] * factors[1])];
  },
  interpret(node, [x]) {
    const { factors } = node.attributes;
    const [height, width] = node.inputs[0]!.shape.slice(2) as [number, number];
    const [rows, columns] = node.shape.slice(2) as [number, number];
    return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
      const map = Math.floor(flat / (rows * columns));
      const row = Math.floor((Math.floor(flat / columns) % rows) / factors[0]);
      return x![(map * height + row) * width + Math.floor((flat % columns) / factors[1])]!;
    });
  },
  emit(node, [x], emitter) {
    const scales = emitter.constant([1, 1, ...node.attributes.factors], [4], "float");
    return emitter.node("Resize", [x!, "", scales], {
      mode: "nearest",
      coordinate_transformation_mode: "asymmetric",
      nearest_mode: "floor",
    });
  },
};

/** Repeats every element `factors` times in rows and columns. */
export function upsampleNearest(x: Tensor, factors: number | readonly [number, number]): Tensor {
  const pair = typeof factors === "number" ? ([factors, factors] as const) : factors;
  if (x.shape.length !== 4 || !pair.every((factor) => Number.isInteger(factor) && factor >= 1)) {
    throw shapeError("upsampleNearest", "[batch, channels, rows, columns] and whole factors", x, pair);
  }
  const [batch, channels, rows, columns] = x.shape as [number, number, number, number];
  return new Tensor(upsampleOp, [x], { factors: pair }, [batch, channels, rows * pair[0], columns * pair[1]]);
}

/** To any number of rows and columns, sampling at pixel centres (PyTorch's `align_corners=False`). */
export function resize(x: Tensor, rows: number, columns: number, mode: "nearest" | "bilinear"): Tensor {
  if (x.shape.length !== 4 || rows < 1 || columns < 1) {
    throw shapeError("resize", "[batch, channels, rows, columns] and a positive size", x, [rows, columns]);
  }
  const [height, width] = x.shape.slice(2) as [number, number];
  if (mode === "nearest") {
    return gather(gather(x, nearestIndices(height, rows), 2), nearestIndices(width, columns), 3);
  }
  const byColumns = matmul(x, transpose(interpolation(width, columns)));
  return matmul(interpolation(height, rows), byColumns);
}

function nearestIndices(from: number, to: number): Tensor {
  const indices = Array.from({ length: to }, (_, i) => Math.min(from - 1, Math.floor((i * from) / to)));
  return constant(indices, [to], "int");
}

/** The matrix [to, from] that interpolates linearly between neighbours. */
function interpolation(from: number, to: number): Tensor {
  const matrix = new Float64Array(to * from);
  for (let i = 0; i < to; i++) {
    const at = Math.max(0, ((i + 0.5) * from) / to - 0.5);
    const left = Math.min(from - 1, Math.floor(at));
    const right = Math.min(from - 1, left + 1);
    matrix[i * from + left]! += 1 - (at - left);
    matrix[i * from + right]! += at - left;
  }
  return constant(matrix, [to, from]);
}
