/** Which classes each image has: counts follow the wanted shares as closely as whole images can, in random order. */

import type { RandomStream } from "../../core/random.ts";

/** A joint distribution over some variables, as a share for each combination of their classes. */
export interface Joint {
  /** Number of classes of each variable; the first one is shared out first, so its counts are the most even. */
  sizes: readonly number[];
  share: (classes: readonly number[]) => number;
}

/**
 * Combinations for `count` images, flat, `joint`'s variables first and then the free ones: each joint combination
 * has its share, and within it the combinations of the free variables are equally frequent.
 */
export function assign(
  count: number,
  joint: Joint,
  freeSizes: readonly number[],
  random: RandomStream,
): Uint8Array {
  const width = joint.sizes.length + freeSizes.length;
  const rows = new Uint8Array(count * width);
  const free = freeSizes.reduce((product, size) => product * size, 1);
  let next = 0;
  for (const [cell, { classes, images }] of shareOut(count, joint).entries()) {
    // Full rounds over all free combinations, and for what is left a random choice of them.
    const extra = random.at(cell + 1).permutation(free);
    for (let i = 0; i < images; i++, next++) {
      const at = next * width;
      rows.set(classes, at);
      let code = i < images - (images % free) ? i % free : extra[i % free]!;
      for (let f = freeSizes.length - 1; f >= 0; f--) {
        rows[at + classes.length + f] = code % freeSizes[f]!;
        code = Math.floor(code / freeSizes[f]!);
      }
    }
  }
  const order = random.at(0).permutation(count);
  const shuffled = new Uint8Array(rows.length);
  for (let i = 0; i < count; i++)
    shuffled.set(rows.subarray(order[i]! * width, (order[i]! + 1) * width), i * width);
  return shuffled;
}

interface CellCount {
  classes: number[];
  images: number;
}

/** Shares out variable by variable, so that each class of the first is exact before the next divides it. */
function shareOut(count: number, { sizes, share }: Joint): CellCount[] {
  const total = (prefix: readonly number[]): number =>
    prefix.length === sizes.length
      ? share(prefix)
      : Array.from({ length: sizes[prefix.length]! }, (_, c) => total([...prefix, c])).reduce(
          (a, b) => a + b,
          0,
        );
  const divide = (prefix: readonly number[], images: number): CellCount[] => {
    if (prefix.length === sizes.length) return [{ classes: [...prefix], images }];
    const branches = Array.from({ length: sizes[prefix.length]! }, (_, c) => [...prefix, c]);
    // Ties begin at another branch in each row, so that left-over images do not all go to the first column.
    const counts = apportion(images, branches.map(total), prefix.at(-1) ?? 0);
    return branches.flatMap((branch, c) => divide(branch, counts[c]!));
  };
  return divide([], count).filter(({ images }) => images > 0);
}

/** Whole numbers that add up to `count` in the given proportions, by largest remainders; ties go to `first` and on. */
export function apportion(count: number, weights: readonly number[], first = 0): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => (count * weight) / total);
  // Sums of shares such as 0.05 / 2 / 3 miss whole numbers by a few bits.
  const counts = exact.map((n) => Math.floor(n + 1e-9));
  // Rounded, because equal shares come out of their sums with other last bits.
  const remainders = exact.map((n, i) => Math.round(1e9 * (n - counts[i]!)));
  const turn = (i: number) => (i - first + weights.length) % weights.length;
  const byRemainder = [...weights.keys()].sort(
    (a, b) => remainders[b]! - remainders[a]! || turn(a) - turn(b),
  );
  const missing = count - counts.reduce((sum, n) => sum + n, 0);
  for (let i = 0; i < missing; i++) counts[byRemainder[i]!]!++;
  return counts;
}

/** One column of classes a factor, from the flat rows that `assign` gives; factors listed together share theirs. */
export function factorColumns<Factor extends string>(
  rows: Uint8Array,
  variables: readonly (Factor | readonly Factor[])[],
): Record<Factor, Uint8Array> {
  const width = variables.length;
  return Object.fromEntries(
    variables.flatMap((variable, v) => {
      const column = Uint8Array.from({ length: rows.length / width }, (_, i) => rows[i * width + v]!);
      return [variable].flat().map((factor) => [factor, column]);
    }),
  ) as Record<Factor, Uint8Array>;
}
