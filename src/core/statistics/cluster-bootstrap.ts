/**
 * Intervals where rows come in clusters that belong together, such as checkpoints of one training or images of one
 * burst: whole clusters are drawn with replacement. The statistic is one of sums over rows, so that a draw costs as many
 * steps as there are clusters.
 */

import type { Random } from "../random.ts";
import { checkConfidence, checkValues, type Interval, inputError } from "./checks.ts";
import { quantile } from "./summary.ts";

/** Of fewer clusters the draws differ too little from each other to tell how far a statistic is known. */
export const fewestClusters = 5;

export interface ClusterSums {
  /** Clusters that have a row. */
  count: number;
  /** Sums a cluster. */
  width: number;
  /** Of each cluster in turn, in order of first appearance. */
  sums: Float64Array;
}

/** The sum of every column over each cluster; codes need not be without gaps. */
export function clusterSums(clusters: ArrayLike<number>, columns: readonly ArrayLike<number>[]): ClusterSums {
  const width = columns.length;
  for (const [j, column] of columns.entries()) {
    if (column.length !== clusters.length)
      throw inputError(
        `column ${j} and clusters differ in length`,
        `${clusters.length} rows`,
        String(column.length),
      );
  }
  const positions = new Map<number, number>();
  const places = Uint32Array.from(clusters, (code) => {
    const known = positions.get(code);
    if (known !== undefined) return known;
    positions.set(code, positions.size);
    return positions.size - 1;
  });
  const sums = new Float64Array(positions.size * width);
  for (let i = 0; i < places.length; i++) {
    const at = places[i]! * width;
    for (let j = 0; j < width; j++) sums[at + j]! += columns[j]![i]!;
  }
  return { count: positions.size, width, sums };
}

export interface ClusterBootstrapOptions {
  random: Random;
  resamples: number;
  confidence: number;
}

/**
 * The statistic of each draw's sums, which it may read only until it returns. Draws for which it is NaN, as a
 * correlation without spread, are drawn again. Undefined where there are too few clusters, or nearly no draw has one.
 */
function clusterResamples(
  { count, width, sums }: ClusterSums,
  statistic: (totals: Float64Array) => number,
  { random, resamples }: Pick<ClusterBootstrapOptions, "random" | "resamples">,
): Float64Array | undefined {
  if (count < fewestClusters) return undefined;
  checkValues("sums of clusters", sums, 0);
  const found = new Float64Array(resamples);
  const totals = new Float64Array(width);
  for (let i = 0; i < resamples; i++) {
    let value = Number.NaN;
    for (let attempt = 0; Number.isNaN(value) && attempt < mostAttempts; attempt++) {
      totals.fill(0);
      for (let draw = 0; draw < count; draw++) {
        const at = random.integer(count) * width;
        for (let j = 0; j < width; j++) totals[j]! += sums[at + j]!;
      }
      value = statistic(totals);
    }
    if (Number.isNaN(value)) return undefined;
    found[i] = value;
  }
  return found;
}

const mostAttempts = 100;

/** The percentile interval; undefined where `clusterResamples` is. */
export function clusterBootstrap(
  sums: ClusterSums,
  statistic: (totals: Float64Array) => number,
  { confidence, ...drawing }: ClusterBootstrapOptions,
): Interval | undefined {
  checkConfidence(confidence);
  const found = clusterResamples(sums, statistic, drawing);
  if (found === undefined) return undefined;
  const tail = (1 - confidence) / 2;
  return { low: quantile(found, tail), high: quantile(found, 1 - tail) };
}
