/** Average pooling to a given number of rows and columns, as PyTorch cuts the map. */

import { constant, matmul, project, type Tensor, transpose } from "../engine/expressions.ts";

/** [batch, channels, rows, columns] → [batch, channels, size, size]; a smaller map is repeated. */
export function adaptiveAveragePool(x: Tensor, size: number): Tensor {
  const [rows, columns] = x.shape.slice(2) as [number, number];
  const tall = rows === size ? x : matmul(averages(rows, size), x);
  return columns === size ? tall : project(tall, transpose(averages(columns, size)));
}

/** [size, length]: row i averages from ⌊i·length/size⌋ to ⌈(i+1)·length/size⌉. */
function averages(length: number, size: number): Tensor {
  const weights = new Float64Array(size * length);
  for (let i = 0; i < size; i++) {
    const [start, end] = [Math.floor((i * length) / size), Math.ceil(((i + 1) * length) / size)];
    weights.fill(1 / (end - start), i * length + start, i * length + end);
  }
  return constant(weights, [size, length]);
}
