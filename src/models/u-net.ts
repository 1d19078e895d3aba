/**
 * U-Net (Ronneberger et al. 2015), a variant for small pictures of any sides: two 3×3 convolutions a level, group normalisation,
 * halves by strided convolution, doubles by repeating places and a convolution. Picture → map of the same sides.
 */

import { concat, relu, sliceAxis, type Tensor, upsampleNearest } from "../engine/expressions.ts";
import { filled } from "../engine/training/initialisers.ts";
import type { Layers } from "./layers.ts";

export interface UNetOptions {
  /** Filters of the first level; each further one has twice as many. */
  width: number;
  /** How often sides are halved, where there is something to halve. */
  depth: number;
  outputs: number;
}

const groups = 4;

/** [batch, channels, rows, columns] → [batch, outputs, rows, columns], zero everywhere at the beginning. */
export function uNet(layers: Layers, x: Tensor, { width, depth, outputs }: UNetOptions): Tensor {
  const convolve = (name: string, y: Tensor, filters: number, stride = 1) =>
    layers.convolution(name, y, { filters, kernel: 3, padding: 1, stride });
  const block = (name: string, y: Tensor, filters: number) => {
    let z = y;
    for (const part of ["1", "2"]) {
      const convolved = convolve(`${name}.conv${part}`, z, filters);
      z = relu(layers.groupNorm(`${name}.norm${part}`, convolved, filters % groups === 0 ? groups : 1));
    }
    return z;
  };
  const maps: Tensor[] = [block("down0", x, width)];
  const least = Math.min(...x.shape.slice(2));
  for (let level = 1; level <= depth && 2 ** level <= least; level++) {
    const halved = convolve(`halve${level}`, maps.at(-1)!, width * 2 ** level, 2);
    maps.push(block(`down${level}`, halved, width * 2 ** level));
  }
  let y = maps.at(-1)!;
  for (let level = maps.length - 2; level >= 0; level--) {
    const beside = maps[level]!;
    const [rows, columns] = beside.shape.slice(2) as [number, number];
    // A strided convolution rounds odd sides up: one row or column of the double is too many.
    const doubled = sliceAxis(sliceAxis(upsampleNearest(y, 2), 2, 0, rows), 3, 0, columns);
    const widened = convolve(`double${level}`, doubled, width * 2 ** level);
    y = block(`up${level}`, concat([beside, widened], 1), width * 2 ** level);
  }
  return layers.convolution("out", y, {
    filters: outputs,
    kernel: 1,
    initial: filled(0),
    initialBias: filled(0),
  });
}
