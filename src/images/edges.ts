/** Sobel's gradient of an image, as OpenCV computes it: of every channel by itself, the border mirrored without its last pixel. */

import type { Pixels } from "../core/dataset.ts";

/** How strongly brightness changes at each pixel: of its strongest channel; 255 for a step from black to white along an axis. */
export function edgeStrength(image: Pixels): Float32Array {
  const { data, height, width, channels } = image;
  const strength = new Float32Array(height * width);
  for (let y = 0; y < height; y++) {
    const [above, below] = [mirrored(y - 1, height), mirrored(y + 1, height)];
    for (let x = 0; x < width; x++) {
      const [left, right] = [mirrored(x - 1, width), mirrored(x + 1, width)];
      let most = 0;
      for (let c = 0; c < channels; c++) {
        const at = (row: number, column: number) => data[(row * width + column) * channels + c]!;
        const across =
          at(above, right) -
          at(above, left) +
          2 * (at(y, right) - at(y, left)) +
          at(below, right) -
          at(below, left);
        const down =
          at(below, left) -
          at(above, left) +
          2 * (at(below, x) - at(above, x)) +
          at(below, right) -
          at(above, right);
        most = Math.max(most, across ** 2 + down ** 2);
      }
      strength[y * width + x] = Math.sqrt(most) / 4;
    }
  }
  return strength;
}

function mirrored(at: number, length: number): number {
  if (length === 1) return 0;
  return at < 0 ? -at : at >= length ? 2 * length - 2 - at : at;
}
