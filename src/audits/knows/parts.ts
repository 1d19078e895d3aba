/** Three parts of some images, each group in all of them, what belongs together in one: fitted on, tuned on, told from. */

import { CuelabError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";

export interface ProbeParts {
  fit: Uint32Array;
  tune: Uint32Array;
  report: Uint32Array;
}

const shares = [0.45, 0.15, 0.4];

/** Places among the images; `clusters` are whole, and of the group that their first image is of. */
export function probeParts(
  groups: ArrayLike<number>,
  clusters: ArrayLike<number> | undefined,
  random: Random,
): ProbeParts {
  const units = new Map<number, number[]>();
  for (let i = 0; i < groups.length; i++) {
    const key = clusters?.[i] ?? i;
    units.set(key, [...(units.get(key) ?? []), i]);
  }
  const byGroup = new Map<number, number[][]>();
  for (const unit of units.values()) {
    const group = groups[unit[0]!]!;
    byGroup.set(group, [...(byGroup.get(group) ?? []), unit]);
  }
  const parts: number[][] = [[], [], []];
  for (const group of [...byGroup.keys()].sort((a, b) => a - b)) {
    const own = random.shuffle(byGroup.get(group)!);
    if (own.length < 6) throw tooFew(own.length);
    const all = own.reduce((sum, unit) => sum + unit.length, 0);
    const left = shares.map((share) => share * all);
    for (const [i, unit] of own.entries()) {
      const part = i < 3 ? i : left.indexOf(Math.max(...left));
      left[part]! -= unit.length;
      parts[part]!.push(...unit);
    }
  }
  const [fit, tune, report] = parts.map((part) => Uint32Array.from(part).sort()) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  return { fit, tune, report };
}

function tooFew(units: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a combination of class and cues has too few images for probes that are fitted on some and told from others",
    expected: "6 images or more, or clusters of them, of every combination that occurs",
    got: String(units),
    todo: "name fewer cues with --set cues=…, or look at splits in which all combinations are frequent (--set splits=…)",
  });
}
