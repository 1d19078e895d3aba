/** How many independent rows would tell as much about two columns as rows in clusters do. */

import { checkValues, inputError } from "./checks.ts";

/**
 * n / (1 + (m - 1)·ρ·ρ′), where m is the mean size of the cluster that a row is in, and ρ and ρ′ are how far rows of a cluster
 * have the same label and the same value beyond chance (Moulton 1990): only what is alike in both columns is no new evidence.
 */
export function effectiveSize(
  labels: ArrayLike<number>,
  values: ArrayLike<number>,
  clusters: ArrayLike<number>,
): number {
  const n = labels.length;
  if (clusters.length !== n)
    throw inputError("clusters and rows differ in number", `${n} codes, one a row`, String(clusters.length));
  checkValues("clusters", clusters, 1);
  const sizes = countsOf(clusters);
  const pairs = sumOf(sizes, (size) => size * (size - 1));
  if (pairs === 0) return n;
  const alike = likeness(labels, clusters, pairs) * likeness(values, clusters, pairs);
  return n / (1 + (pairs / n) * alike);
}

/** Of two rows of a cluster: the share that have the same code, beyond that of any two rows, from 0 to 1. */
function likeness(codes: ArrayLike<number>, clusters: ArrayLike<number>, pairs: number): number {
  const n = codes.length;
  const chance = sumOf(countsOf(codes), (count) => (count / n) ** 2);
  if (chance === 1) return 0;
  const inClusters = new Map<number, Map<number, number>>();
  for (let i = 0; i < n; i++) {
    const own = inClusters.get(clusters[i]!) ?? new Map<number, number>();
    own.set(codes[i]!, (own.get(codes[i]!) ?? 0) + 1);
    inClusters.set(clusters[i]!, own);
  }
  let same = 0;
  for (const own of inClusters.values()) same += sumOf(own, (count) => count * (count - 1));
  // Rows of a cluster that avoid each other are taken as independent: never as more than they are.
  return Math.max(0, (same / pairs - chance) / (1 - chance));
}

function countsOf(codes: ArrayLike<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < codes.length; i++) counts.set(codes[i]!, (counts.get(codes[i]!) ?? 0) + 1);
  return counts;
}

function sumOf(counts: ReadonlyMap<number, number>, of: (count: number) => number): number {
  let total = 0;
  for (const count of counts.values()) total += of(count);
  return total;
}
