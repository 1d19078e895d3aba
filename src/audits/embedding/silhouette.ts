/** How well points lie with their own kind: silhouettes (Rousseeuw 1987), for several labellings of the same points. */

import type { FeatureMatrix } from "./pca.ts";

/** One label a point, from 0. */
export type Labelling = ArrayLike<number>;

/**
 * The mean silhouette of each labelling: (b − a) / max(a, b) with a the mean distance to a point's own kind and b to the
 * nearest other; 1 for kinds far apart, 0 for kinds that overlap, below 0 where points lie with others. A point alone of
 * its kind counts 0. Null with fewer than two kinds. Scikit-learn's `silhouette_score`.
 */
export function silhouettes(points: FeatureMatrix, labellings: readonly Labelling[]): (number | null)[] {
  const { count } = points;
  const kinds = labellings.map((labels) => tally(labels, count));
  const totals = labellings.map(() => 0);
  const distances = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    distancesFrom(points, i, distances);
    for (const [l, labels] of labellings.entries()) totals[l]! += silhouette(i, distances, labels, kinds[l]!);
  }
  return totals.map((total, l) => (kinds[l]!.filter((size) => size > 0).length < 2 ? null : total / count));
}

function silhouette(i: number, distances: Float64Array, labels: Labelling, sizes: readonly number[]): number {
  const sums = new Float64Array(sizes.length);
  for (let j = 0; j < distances.length; j++) sums[labels[j]!]! += distances[j]!;
  const own = labels[i]!;
  if (sizes[own]! < 2) return 0;
  const within = sums[own]! / (sizes[own]! - 1);
  let nearest = Number.POSITIVE_INFINITY;
  for (const [kind, size] of sizes.entries()) {
    if (kind !== own && size > 0) nearest = Math.min(nearest, sums[kind]! / size);
  }
  const larger = Math.max(within, nearest);
  return larger === 0 ? 0 : (nearest - within) / larger;
}

function tally(labels: Labelling, count: number): number[] {
  const sizes: number[] = [];
  for (let i = 0; i < count; i++) {
    while (sizes.length <= labels[i]!) sizes.push(0);
    sizes[labels[i]!]!++;
  }
  return sizes;
}

function distancesFrom({ values, count, width }: FeatureMatrix, i: number, out: Float64Array): void {
  for (let j = 0; j < count; j++) {
    let sum = 0;
    for (let k = 0; k < width; k++) {
      const away = values[i * width + k]! - values[j * width + k]!;
      sum += away * away;
    }
    out[j] = Math.sqrt(sum);
  }
}
