/** Matrices in memory that have a row an image: some of their rows, and how their columns are spread. */

/** The rows at some places, one after the other, into memory that is there. */
export function rowsInto<Numbers extends Float32Array | Int32Array>(
  matrix: Numbers,
  width: number,
  places: ArrayLike<number>,
  into: Numbers,
): Numbers {
  for (let row = 0; row < places.length; row++) {
    const from = places[row]! * width;
    into.set(matrix.subarray(from, from + width), row * width);
  }
  return into;
}

/** The same as a matrix of their own, unless memory is given. */
export function rowsAt(
  matrix: Float32Array,
  width: number,
  places: ArrayLike<number>,
  into: Float32Array<ArrayBuffer> = new Float32Array(places.length * width),
): Float32Array<ArrayBuffer> {
  rowsInto(matrix, width, places, into);
  return into;
}

export interface Spread {
  mean: Float64Array;
  variance: Float64Array;
}

/** Of each column over all rows, or over those at some places; in two passes, so that nothing cancels. */
export function spreadOf(
  matrix: Float32Array,
  width: number,
  places: Uint32Array = Uint32Array.from({ length: matrix.length / width }, (_, row) => row),
): Spread {
  const [mean, squares] = [new Float64Array(width), new Float64Array(width)];
  for (const row of places)
    for (let k = 0; k < width; k++) mean[k]! += matrix[row * width + k]! / places.length;
  for (const row of places)
    for (let k = 0; k < width; k++) squares[k]! += (matrix[row * width + k]! - mean[k]!) ** 2;
  return { mean, variance: squares.map((total) => total / places.length) };
}
