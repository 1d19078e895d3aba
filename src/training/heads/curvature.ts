/** A bound of the curvature of heads over some features: ¼·XᵀX/n and the penalty, factored once for every penalty. */

import { Executable } from "../../engine/executable.ts";
import { input, matmul, transpose } from "../../engine/expressions.ts";
import { blockRows, type HeadRows } from "./head-rows.ts";
import type { Preconditioner } from "./lbfgs.ts";

/** XᵀX / n: [width, width], of rows whose columns have mean 0. */
export async function meanProduct(rows: HeadRows, threads: number): Promise<Float64Array> {
  const { width, count } = rows;
  const x = input("x", [blockRows, width]);
  const executable = await Executable.compile({ outputs: { product: matmul(transpose(x), x) } }, { threads });
  try {
    const total = new Float64Array(width * width);
    for (let block = 0; block * blockRows < count; block++) {
      const { product } = await executable.run({ x: await rows.block(block) });
      for (let i = 0; i < total.length; i++) total[i]! += (product as Float32Array)[i]! / count;
    }
    return total;
  } finally {
    await executable.close();
  }
}

/** For points [columns, width + 1], the bias last. `penalty` is the second derivative of the penalty. */
export function preconditioner(product: Float64Array, width: number, penalty: number): Preconditioner {
  // A ridge too small to matter keeps what never varies from being 0.
  const solve = solverOf(product, width, { share: 1 / 4, ridge: penalty });
  return (vector) => {
    for (let from = 0; from < vector.length; from += width + 1) {
      solve(vector.subarray(from, from + width));
      vector[from + width]! *= 4;
    }
  };
}

/** Solves with share·matrix + ridge, in place; a positive matrix. */
export function solverOf(
  matrix: Float64Array,
  width: number,
  { share, ridge }: { share: number; ridge: number },
): (vector: Float64Array) => void {
  const factor = cholesky(matrix, width, share, ridge);
  return (vector) => solveInPlace(factor, width, vector);
}

/** Lower, row by row. */
function cholesky(matrix: Float64Array, width: number, share: number, given: number): Float64Array {
  let trace = 0;
  for (let i = 0; i < width; i++) trace += (share * matrix[i * width + i]!) / width;
  const ridge = given + 1e-6 * (trace || 1);
  const lower = new Float64Array(width * width);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = share * matrix[i * width + j]! + (i === j ? ridge : 0);
      const [a, b] = [i * width, j * width];
      for (let k = 0; k < j; k++) sum -= lower[a + k]! * lower[b + k]!;
      lower[a + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[b + j]!;
    }
  }
  return lower;
}

function solveInPlace(lower: Float64Array, width: number, vector: Float64Array): void {
  for (let i = 0; i < width; i++) {
    let sum = vector[i]!;
    for (let k = 0; k < i; k++) sum -= lower[i * width + k]! * vector[k]!;
    vector[i] = sum / lower[i * width + i]!;
  }
  for (let i = width - 1; i >= 0; i--) {
    const value = vector[i]! / lower[i * width + i]!;
    vector[i] = value;
    // By rows of the factor, which lie together.
    for (let k = 0; k < i; k++) vector[k]! -= lower[i * width + k]! * value;
  }
}
