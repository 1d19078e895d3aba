/**
 * Fog of our own: clouds of several sizes, lighter where they are thick, over an image that loses contrast. ImageNet-C makes its
 * clouds by another fractal, so that equal severities are only about as strong.
 */

import type { Pixels } from "../../core/dataset.ts";
import type { Random } from "../../core/random.ts";
import { type Severity, severityOf } from "./severity.ts";

/** How thick, and by how much each finer cloud is weaker: those of ImageNet-C. */
const steps = [
  [1.5, 2],
  [2, 2],
  [2.5, 1.7],
  [2.5, 1.5],
  [3, 1.4],
] as const;

export function fog(image: Pixels, severity: Severity, random: Random): Pixels {
  const [thickness, decay] = severityOf(steps, severity);
  const { channels } = image;
  const clouds = cloudsOf(image, decay, random);
  const most = image.data.reduce((largest, value) => Math.max(largest, value), 0) / 255;
  const scale = most + thickness === 0 ? 0 : most / (most + thickness);
  const data = image.data.map((value, at) => {
    const foggy = (value / 255 + thickness * clouds[Math.floor(at / channels)]!) * scale;
    return Math.trunc(255 * Math.min(1, Math.max(0, foggy)));
  });
  return { ...image, data };
}

/** From 0 to 1: random values on ever finer grids, between which they go over linearly. */
function cloudsOf({ height, width }: Pixels, decay: number, random: Random): Float64Array {
  const clouds = new Float64Array(height * width);
  const side = Math.max(height, width);
  for (let cells = 1, weight = 1; cells <= side / 2; cells *= 2, weight /= decay) {
    const grid = Float64Array.from({ length: (cells + 1) ** 2 }, () => random.uniform());
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const [down, across] = [(y * cells) / side, (x * cells) / side];
        const [row, column] = [Math.floor(down), Math.floor(across)];
        const at = row * (cells + 1) + column;
        const between = (one: number, other: number) => one + (across - column) * (other - one);
        const above = between(grid[at]!, grid[at + 1]!);
        const below = between(grid[at + cells + 1]!, grid[at + cells + 2]!);
        clouds[y * width + x]! += weight * (above + (down - row) * (below - above));
      }
  }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of clouds) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return high > low ? clouds.map((value) => (value - low) / (high - low)) : clouds;
}
