/** Whole batches of one size, since programs are compiled for one: the last is filled up with what it begins with. */

export interface ImageBatch {
  first: number;
  /** How many of it are wanted. */
  used: number;
}

export function* batchesOf(count: number, size: number): Generator<ImageBatch> {
  for (let first = 0; first < count; first += size) yield { first, used: Math.min(size, count - first) };
}

/** Rows `first` to `first + size`, of so many numbers each; behind the end the first of them again. */
export function rowsAt<Values extends Uint8Array | Float32Array>(
  values: Values,
  width: number,
  { first, used }: ImageBatch,
  size: number,
): Values {
  if (used === size) return values.slice(first * width, (first + size) * width) as Values;
  const rows = (
    values instanceof Uint8Array ? new Uint8Array(size * width) : new Float32Array(size * width)
  ) as Values;
  for (let i = 0; i < size; i++) {
    const row = first + (i < used ? i : 0);
    rows.set(values.subarray(row * width, (row + 1) * width), i * width);
  }
  return rows;
}
