/** What is counted: one image of all that belong together, and on which side of the two halves it stands. */

import { Joined } from "./joined.ts";

export interface Units {
  /** Indices of images, one a cluster. */
  images: Uint32Array;
  /** Of each unit: 1 where it decides what to say, 0 where it judges. */
  chosen: Uint8Array;
}

/** One code for all images that any of these ways joins. */
export function clustersBy(count: number, ways: readonly { codes: ArrayLike<number> }[]): Uint32Array {
  const joined = new Joined(count);
  for (const { codes } of ways) {
    const first = new Map<number, number>();
    for (let index = 0; index < count; index++) {
      const code = codes[index]!;
      if (code < 0) continue;
      const known = first.get(code);
      if (known === undefined) first.set(code, index);
      else joined.join(known, index);
    }
  }
  return joined.codes();
}

/** The smallest digest stands for a cluster: it decides which image is the unit, and its half. So new images move few old ones. */
export function unitsOf(rows: readonly number[], clusters: Uint32Array, digests: Uint32Array): Units {
  const first = new Map<number, number>();
  for (const index of rows) {
    const known = first.get(clusters[index]!);
    if (known === undefined || digests[index]! < digests[known]!) first.set(clusters[index]!, index);
  }
  const images = Uint32Array.from(first.values()).sort();
  return { images, chosen: Uint8Array.from(images, (index) => digests[index]! & 1) };
}

/** The part of a cross-validation that a cluster is in: not by the bit that halves. */
export function foldsOf(
  images: ArrayLike<number>,
  clusters: Uint32Array,
  digests: Uint32Array,
  folds: number,
): Uint8Array {
  const smallest = new Map<number, number>();
  for (let i = 0; i < images.length; i++) {
    const cluster = clusters[images[i]!]!;
    smallest.set(cluster, Math.min(smallest.get(cluster) ?? Number.POSITIVE_INFINITY, digests[images[i]!]!));
  }
  return Uint8Array.from(images, (index) => (smallest.get(clusters[index]!)! >>> 1) % folds);
}
