/** A small map to the size of its image, bilinear: PyTorch's `interpolate` with `align_corners=False`. */

import type { Taps } from "../images/resample.ts";
import { tapsOf } from "../images/resample.ts";

export function stretchMap(
  map: Float32Array,
  [rows, columns]: readonly [number, number],
  [height, width]: readonly [number, number],
): Float32Array {
  const across = tapsOf("triangle", columns, width);
  const down = tapsOf("triangle", rows, height);
  const wide = new Float32Array(rows * width);
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < width; x++) wide[y * width + x] = weighted(across, x, map, y * columns, 1);
  const stretched = new Float32Array(height * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) stretched[y * width + x] = weighted(down, y, wide, x, width);
  return stretched;
}

function weighted({ start, width, weights }: Taps, i: number, from: Float32Array, at: number, step: number) {
  let total = 0;
  for (let k = 0; k < width; k++) {
    const weight = weights[i * width + k]!;
    if (weight !== 0) total += weight * from[at + (start[i]! + k) * step]!;
  }
  return total;
}
