/**
 * A map that stays as it is when the network's weights are random shows the images, and not what the network has learned
 * (Adebayo et al. 2018). Weights are shuffled within each layer from the logits down, and maps compared with those before.
 */

import { randomStream } from "../core/random.ts";
import { spearman } from "../core/statistics/index.ts";
import { State } from "../engine/state.ts";
import type { DifferentiableNetwork, Maps } from "./saliency-method.ts";

/** How much of the network is random, counted from its end. */
export const randomisedParts = [
  { name: "the last layer", share: 0 },
  { name: "the upper half", share: 0.5 },
  { name: "all", share: 1 },
] as const;

/** Copies of the weights with ever more of them shuffled, which keeps the spread of each layer as it was. */
export function randomisedWeights({ weights, order }: DifferentiableNetwork, seed: number): State[] {
  const fromTop = order.toReversed();
  return randomisedParts.map(({ share }) => {
    // Weight and bias of the last layer.
    const count = share === 0 ? Math.min(2, fromTop.length) : Math.ceil(share * fromTop.length);
    const random = new Set(fromTop.slice(0, count));
    const state = new State();
    for (const name of order) {
      const values = Float32Array.from(weights.get(name));
      if (random.has(name)) randomStream(seed, `saliency/randomised/${name}`).at(0).shuffle(values);
      state.set(name, values);
    }
    return state;
  });
}

/** Cells a side that maps are compared in: finer ones would rank single pixels. */
const cells = 16;

/** Spearman's ρ of two maps of one image; null where one of them is the same everywhere. */
export function mapCorrelation(one: Float32Array, other: Float32Array, width: number): number | null {
  const [x, y] = [inCells(one, width), inCells(other, width)];
  const flat = (values: Float64Array) => values.every((value) => value === values[0]);
  return flat(x) || flat(y) ? null : spearman(x, y).rho;
}

export function mapCorrelations(one: Maps, other: Maps, [height, width]: readonly [number, number]) {
  const size = height * width;
  return Array.from({ length: one.values.length / size }, (_, i) => {
    const at = (maps: Maps) => maps.values.subarray(i * size, (i + 1) * size);
    return mapCorrelation(at(one), at(other), width);
  });
}

function inCells(map: Float32Array, width: number): Float64Array {
  const height = map.length / width;
  const [rows, columns] = [Math.min(cells, height), Math.min(cells, width)];
  const sums = new Float64Array(rows * columns);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cell = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      sums[cell]! += map[y * width + x]!;
    }
  return sums;
}
