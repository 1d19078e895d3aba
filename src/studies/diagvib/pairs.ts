/** A predicted factor with the cue that goes with it, and with two at once. */

import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";

export type FactorPair = readonly [predict: PublishedFactor, cue: PublishedFactor];

export const allPairs: readonly FactorPair[] = factors.flatMap((predict) =>
  factors.filter((cue) => cue !== predict).map((cue): FactorPair => [predict, cue]),
);

export const bothWays = (one: PublishedFactor, other: PublishedFactor): FactorPair[] => [
  [one, other],
  [other, one],
];

/** Every two factors once. */
export const unorderedPairs: readonly FactorPair[] = factors.flatMap((one, i) =>
  factors.slice(i + 1).map((other): FactorPair => [one, other]),
);

/** Two cues that both always go with what is predicted. */
export interface RivalCues {
  predict: PublishedFactor;
  one: PublishedFactor;
  other: PublishedFactor;
}

export const allRivals: readonly RivalCues[] = factors.flatMap((predict) =>
  unorderedPairs
    .filter((pair) => !pair.includes(predict))
    .map(([one, other]): RivalCues => ({ predict, one, other })),
);
