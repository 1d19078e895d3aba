/** Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations (Golub and Van Loan, section 8.5). */

export interface SymmetricEigen {
  /** In falling order. */
  values: Float64Array;
  /** [size, size]: row i is the unit eigenvector of value i. */
  vectors: Float64Array;
}

/** Below this share of the matrix's size an entry off the diagonal is rounding. */
const negligible = 1e-15;

/** Of [size, size] numbers; meant for a few hundred at most, as it costs some ten times size³. */
export function symmetricEigen(matrix: ArrayLike<number>, size: number): SymmetricEigen {
  const a = Float64Array.from(matrix);
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  const scale = Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
  for (let sweep = 0; sweep < 60; sweep++) {
    let largest = 0;
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const across = Math.abs(a[p * size + q]!);
        largest = Math.max(largest, across);
        if (across > negligible * scale) rotate(a, vectors, size, p, q);
      }
    }
    if (largest <= negligible * scale) break;
  }
  return sorted(a, vectors, size);
}

/** Makes a[p][q] zero. */
function rotate(a: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const theta = (a[q * size + q]! - a[p * size + p]!) / (2 * a[p * size + q]!);
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (let k = 0; k < size; k++) turn(a, k * size + p, k * size + q, c, s);
  for (let k = 0; k < size; k++) turn(a, p * size + k, q * size + k, c, s);
  for (let k = 0; k < size; k++) turn(vectors, p * size + k, q * size + k, c, s);
}

function turn(values: Float64Array, i: number, j: number, c: number, s: number): void {
  const [x, y] = [values[i]!, values[j]!];
  values[i] = c * x - s * y;
  values[j] = s * x + c * y;
}

function sorted(a: Float64Array, vectors: Float64Array, size: number): SymmetricEigen {
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => a[j * size + j]! - a[i * size + i]!);
  const rows = new Float64Array(size * size);
  for (const [to, from] of order.entries()) {
    rows.set(vectors.subarray(from * size, (from + 1) * size), to * size);
  }
  return { values: Float64Array.from(order, (i) => a[i * size + i]!), vectors: rows };
}
