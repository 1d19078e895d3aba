/** The mean around every pixel, in a square whose part outside of the image does not count. */

import type { Pixels } from "../core/dataset.ts";

/** Of each channel; a radius of r is a square of 2r + 1 pixels. */
export function boxMean(image: Pixels, radius: number): Float32Array {
  const { data, height, width, channels } = image;
  const rows = new Float32Array(data.length);
  const mean = new Float32Array(data.length);
  // Along rows, then along columns: in a rectangle of the image the mean of means is the mean.
  for (let y = 0; y < height; y++)
    for (let c = 0; c < channels; c++) slide(data, rows, y * width * channels + c, channels, width, radius);
  for (let at = 0; at < width * channels; at++) slide(rows, mean, at, width * channels, height, radius);
  return mean;
}

/** A line of `length` values, `step` apart. */
function slide(
  from: ArrayLike<number>,
  to: Float32Array,
  start: number,
  step: number,
  length: number,
  radius: number,
): void {
  let [sum, count] = [0, 0];
  for (let ahead = 0; ahead < length + radius; ahead++) {
    if (ahead < length) {
      sum += from[start + ahead * step]!;
      count++;
    }
    const behind = ahead - 2 * radius - 1;
    if (behind >= 0) {
      sum -= from[start + behind * step]!;
      count--;
    }
    const at = ahead - radius;
    if (at >= 0) to[start + at * step] = sum / count;
  }
}
