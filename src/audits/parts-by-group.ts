/** Disjoint parts of some images, each group in all of them, and what belongs together in one: what is fitted on one is told of another. */

import { CuelabError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";

interface PartsAsked {
  /** Of each image, by place. */
  groups: ArrayLike<number>;
  /** Images of one code stay together, such as copies of one picture; each stands for itself where it is left out. */
  clusters?: ArrayLike<number> | undefined;
  /** Of each part. */
  shares: readonly number[];
  /** Images, or clusters of them, that every part needs of every group. */
  least: number;
  random: Random;
  /** What the group of the image at a place is called. */
  groupOf: (place: number) => string;
  /** What to do where a group is too small. */
  todo: string;
}

/** Places among the images, for each share a part; within each group as near to the shares as clusters allow. */
export function partsByGroup({
  groups,
  clusters,
  shares,
  least,
  random,
  groupOf,
  todo,
}: PartsAsked): Uint32Array[] {
  const units = new Map<number, number[]>();
  for (let place = 0; place < groups.length; place++)
    addTo(units, clusters === undefined ? place : clusters[place]!, place);
  const byGroup = new Map<number, number[][]>();
  for (const unit of units.values()) addTo(byGroup, commonest(unit.map((place) => groups[place]!)), unit);
  const parts: number[][] = shares.map(() => []);
  const wanted = least * shares.length;
  for (const group of [...byGroup.keys()].sort((a, b) => a - b)) {
    const own = random.shuffle(byGroup.get(group)!);
    if (own.length < wanted)
      throw new CuelabError({
        kind: "input",
        what: `a group is too small for ${shares.length} parts: ${groupOf(own.flat().find((place) => groups[place] === group)!)}`,
        expected: `${wanted} images or more that do not belong together, ${least} for each part`,
        got: String(own.length),
        todo,
      });
    const left = shares.map((share) => share * own.flat().length);
    for (const [i, unit] of own.entries()) {
      // Every part gets one; then each goes where most is still wanted.
      const part = i < shares.length ? i : left.indexOf(Math.max(...left));
      left[part]! -= unit.length;
      parts[part]!.push(...unit);
    }
  }
  return parts.map((part) => Uint32Array.from(part).sort());
}

function addTo<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const own = lists.get(key);
  if (own === undefined) lists.set(key, [item]);
  else own.push(item);
}

/** A cluster is of the group that most of its images are of; the lowest of equals. */
function commonest(codes: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || a - b)[0]![0];
}
