/** How many images each combination of car, background and co-occurring object has, and which image is of which. */

import type { RandomStream } from "../../core/random.ts";

/** Worlds of the three parts of every image of a split. */
export interface GroupColumns {
  labels: Uint8Array;
  backgrounds: Uint8Array;
  things: Uint8Array;
}

export interface Correlations {
  /** How often the background is of the car's world. */
  background: number;
  /** How often the co-occurring object is, whatever the background is. */
  thing: number;
}

/**
 * Images of the eight groups: car's world first, then the background's, then the object's, the last changing fastest.
 * Classes share the images equally, the first having one more where the number is odd; within a class each group gets
 * its expected number, rounded by largest remainders, where common groups come before uncommon ones.
 */
export function carGroupCounts(count: number, { background, thing }: Correlations): number[] {
  return [Math.ceil(count / 2), Math.floor(count / 2)].flatMap((inClass, label) => {
    const shares = [background * thing, (1 - background) * thing, background * (1 - thing)];
    const [common, oddBackground, oddThing, neither] = byLargestRemainder(inClass, [
      ...shares,
      (1 - background) * (1 - thing),
    ]) as [number, number, number, number];
    // By world: an odd background of an urban car is the country.
    const sameFirst = [common, oddThing, oddBackground, neither];
    return label === 0 ? sameFirst : sameFirst.toReversed();
  });
}

/** Whole numbers with that sum and, to within one, these shares. */
function byLargestRemainder(total: number, shares: readonly number[]): number[] {
  // Rounded, so that equal remainders are equal whatever 1 − 0.95 is in floating point.
  const exact = shares.map((share) => Math.round(share * total * 1e9) / 1e9);
  const whole = exact.map(Math.floor);
  const missing = total - whole.reduce((sum, n) => sum + n, 0);
  const order = [...exact.keys()].sort((a, b) => exact[b]! - whole[b]! - (exact[a]! - whole[a]!) || a - b);
  for (const place of order.slice(0, missing)) whole[place]!++;
  return whole;
}

/** Groups in random order, so that any stretch of images is like the whole. */
export function assignGroups(counts: readonly number[], stream: RandomStream): GroupColumns {
  const groups = Uint8Array.from(counts.flatMap((count, group) => Array<number>(count).fill(group)));
  stream.at(0).shuffle(groups);
  return {
    labels: groups.map((group) => group >> 2),
    backgrounds: groups.map((group) => (group >> 1) & 1),
    things: groups.map((group) => group & 1),
  };
}
