/** Disjoint parts of some images, each group in all of them, what belongs together in one. */

import { CuelabError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";

/**
 * Places among the images, for each share a part; `clusters` are whole, and of the group that their first image is of. Every part
 * has something of every group.
 */
export function partsByGroup(
  groups: ArrayLike<number>,
  clusters: ArrayLike<number> | undefined,
  shares: readonly number[],
  random: Random,
): Uint32Array[] {
  const units = new Map<number, number[]>();
  for (let i = 0; i < groups.length; i++) {
    const key = clusters?.[i] ?? i;
    const own = units.get(key);
    if (own === undefined) units.set(key, [i]);
    else own.push(i);
  }
  const byGroup = new Map<number, number[][]>();
  for (const unit of units.values()) {
    const group = groups[unit[0]!]!;
    const own = byGroup.get(group);
    if (own === undefined) byGroup.set(group, [unit]);
    else own.push(unit);
  }
  const parts: number[][] = shares.map(() => []);
  for (const group of [...byGroup.keys()].sort((a, b) => a - b)) {
    const own = random.shuffle(byGroup.get(group)!);
    const least = 2 * shares.length;
    if (own.length < least) throw tooFew(own.length, least);
    const all = own.reduce((sum, unit) => sum + unit.length, 0);
    const left = shares.map((share) => share * all);
    for (const [i, unit] of own.entries()) {
      const part = i < shares.length ? i : left.indexOf(Math.max(...left));
      left[part]! -= unit.length;
      parts[part]!.push(...unit);
    }
  }
  return parts.map((part) => Uint32Array.from(part).sort());
}

function tooFew(units: number, least: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a combination of class and cues has too few images to fit on some and tell of others",
    expected: `${least} images or more, or clusters of them, of every combination that occurs`,
    got: String(units),
    todo: "name fewer cues with --set cues=…, or look at splits in which all combinations are frequent (--set splits=…)",
  });
}
