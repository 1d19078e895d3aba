/** What curing did to each cue: reduced, amplified, worse everywhere, equal, or cannot be told. */

import { holmOfKnown, normalQuantile, smallestEffect } from "../../core/statistics/index.ts";
import type { CueComparison, MoleComparison } from "./comparison.ts";

export type MoleVerdict = "reduced" | "amplified" | "worse everywhere" | "equal" | "cannot be told";

/** Adjusted by Holm for all cues of all comparisons of the family; undefined for one seed. */
interface FamilyPValues {
  gap: number | undefined;
  equivalence: number | undefined;
  uncommon: number | undefined;
  common: number | undefined;
  /** That accuracy where the cue is uncommon rose by the margin or more. */
  rise: number | undefined;
}

export interface CueVerdict extends CueComparison {
  /** Null for all cues together, which is no cue: its numbers stand beside, and are not in the family. */
  verdict: MoleVerdict | null;
  adjusted: FamilyPValues | null;
  /** The smallest change of the gap that is beyond chance four times of five, whatever else the family holds; undefined for one seed. */
  smallestSeen: number | undefined;
}

export interface JudgedComparison extends MoleComparison {
  cues: readonly CueVerdict[];
  /** Cues that the family holds, of all comparisons. */
  family: number;
}

/**
 * A family of comparisons, such as one method or a whole board. Holm holds the probability of any false word about a gap at α, and
 * separately that of any false "equal"; so it does for the accuracies that decide between "reduced" and "worse everywhere".
 * Intervals stay unadjusted.
 */
export function judgeMoles(comparisons: readonly MoleComparison[]): JudgedComparison[] {
  const cues = comparisons.flatMap(({ cues, alpha, over }) =>
    cues.filter(isOneCue).map((cue) => ({ cue, alpha, over })),
  );
  const adjusted = (of: (cue: CueComparison) => number | undefined) =>
    holmOfKnown(cues.map(({ cue }) => of(cue)));
  const [gap, equivalence, uncommon, common, rise] = [
    adjusted((cue) => cue.gap.pValue),
    adjusted((cue) => cue.gap.equivalencePValue),
    adjusted((cue) => cue.uncommon.pValue),
    adjusted((cue) => cue.common.pValue),
    adjusted((cue) => cue.uncommon.risePValue),
  ];
  const judged = new Map(
    cues.map(({ cue, alpha, over }, i) => {
      const family = {
        gap: gap[i],
        equivalence: equivalence[i],
        uncommon: uncommon[i],
        common: common[i],
        rise: rise[i],
      };
      const smallestSeen = smallestSeenOf(cue, over, alpha / cues.length);
      return [cue, { verdict: verdictOf(cue, family, alpha), adjusted: family, smallestSeen }];
    }),
  );
  return comparisons.map((comparison) => ({
    ...comparison,
    cues: comparison.cues.map((cue) => ({
      ...cue,
      ...(judged.get(cue) ?? { verdict: null, adjusted: null, smallestSeen: undefined }),
    })),
    family: cues.length,
  }));
}

/**
 * Equal by equivalence of the gaps alone. A gap that moved beyond chance counts for a cue only if the images where the cue is
 * uncommon moved beyond chance the same way: one that grew because accuracy rose where the cue holds is no amplification, and one
 * that shrank because it fell there is "worse everywhere". That there was no rise to speak of must be known for it: a rise that was
 * merely not seen is no evidence of none.
 */
function verdictOf(
  { gap, uncommon, common }: CueComparison,
  family: FamilyPValues,
  alpha: number,
): MoleVerdict {
  const beyondChance = (p: number | undefined) => p !== undefined && p < alpha;
  if (beyondChance(family.equivalence)) return "equal";
  if (!beyondChance(family.gap)) return "cannot be told";
  const moved = beyondChance(family.uncommon) ? Math.sign(uncommon.value) : 0;
  if (gap.value < 0) return moved < 0 ? "amplified" : "cannot be told";
  if (moved > 0) return "reduced";
  const onlyFell = beyondChance(family.common) && common.value < 0 && beyondChance(family.rise);
  return onlyFell ? "worse everywhere" : "cannot be told";
}

/** Holm's first step, which all that come later are easier than. */
function smallestSeenOf(
  { gap, seeds }: CueComparison,
  over: MoleComparison["over"],
  alpha: number,
): number | undefined {
  if (gap.error === undefined) return undefined;
  const errors =
    over === "seeds"
      ? Math.sqrt(seeds) * smallestEffect(seeds, { alpha, power })
      : normalQuantile(1 - alpha / 2) + normalQuantile(power);
  return errors * gap.error;
}

const power = 0.8;

export function isOneCue({ cues }: Pick<CueComparison, "cues">): boolean {
  return cues.length === 1;
}
