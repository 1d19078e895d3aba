/**
 * An interval of R where points come in clusters that belong together, such as checkpoints of one training: whole
 * clusters are drawn with replacement. Each is six sums, so that a draw costs as many steps as there are clusters.
 */

import type { Random } from "../../core/random.ts";
import { type Interval, quantile } from "../../core/statistics/index.ts";
import { centredColumns, correlationOfSums } from "./resample.ts";

/** Of fewer clusters the draws differ too little from each other to tell how far R is known. */
export const fewestClusters = 5;

export interface ClusterSums {
  /** Clusters with a point that counts. */
  count: number;
  /** Of each cluster in turn: weights, and weighted x, y, x², xy, y². */
  sums: Float64Array;
}

const width = 6;

/** Of points on their scale; those without weight are in no cluster. */
export function clusterSums(
  x: Float64Array,
  y: Float64Array,
  clusters: Uint32Array,
  weights: Float64Array | undefined,
): ClusterSums {
  const columns = centredColumns(x, y);
  // Codes are those of the whole table, of which a subgroup has few.
  const position = new Map<number, number>();
  const places = Uint32Array.from(clusters, (code, i) => {
    if (weights?.[i] === 0) return 0;
    const known = position.get(code);
    if (known !== undefined) return known;
    position.set(code, position.size);
    return position.size - 1;
  });
  const sums = new Float64Array(position.size * width);
  for (let i = 0; i < x.length; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    if (weight === 0) continue;
    const [a, b, at] = [columns.x[i]!, columns.y[i]!, places[i]! * width];
    sums[at]! += weight;
    sums[at + 1]! += weight * a;
    sums[at + 2]! += weight * b;
    sums[at + 3]! += weight * a * a;
    sums[at + 4]! += weight * a * b;
    sums[at + 5]! += weight * b * b;
  }
  return { count: position.size, sums };
}

export interface ClusterBootstrapOptions {
  random: Random;
  resamples: number;
  confidence: number;
}

/** The percentile interval; everything where there are too few clusters. Draws without spread are drawn again. */
export function clusterBootstrap(
  { count, sums }: ClusterSums,
  { random, resamples, confidence }: ClusterBootstrapOptions,
): Interval {
  if (count < fewestClusters) return { low: -1, high: 1 };
  const found = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) {
    let r = Number.NaN;
    for (let attempt = 0; Number.isNaN(r) && attempt < mostAttempts; attempt++)
      r = drawnR(count, sums, random);
    // Nearly all clusters lie in one point: nothing is known of R.
    if (Number.isNaN(r)) return { low: -1, high: 1 };
    found[i] = r;
  }
  const tail = (1 - confidence) / 2;
  return { low: quantile(found, tail), high: quantile(found, 1 - tail) };
}

const mostAttempts = 100;

function drawnR(count: number, sums: Float64Array, random: Random): number {
  let [w, x, y, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const at = random.integer(count) * width;
    w += sums[at]!;
    x += sums[at + 1]!;
    y += sums[at + 2]!;
    xx += sums[at + 3]!;
    xy += sums[at + 4]!;
    yy += sums[at + 5]!;
  }
  return correlationOfSums(w, x, y, xx, xy, yy);
}
