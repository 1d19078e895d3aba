/** Images that a method gets wrong where the baseline was right, and the other way round. */

import type { Tally } from "../counts.ts";
import type { Flips } from "./comparison.ts";
import type { CueContrast } from "./contrasts.ts";

/** Of any images that both models predicted, compared one by one. */
export function flipsIn(tallies: Iterable<Tally>): Flips {
  const flips = { images: 0, toWrong: 0, toRight: 0 };
  for (const { count, correct, baselineCorrect, bothCorrect } of tallies) {
    flips.images += count;
    flips.toWrong += baselineCorrect! - bothCorrect!;
    flips.toRight += correct - bothCorrect!;
  }
  return flips;
}

/** Of the images where the cue is uncommon, each counting once. */
export function flipsOf(contrasts: readonly CueContrast[]): Flips {
  return flipsIn(contrasts.flatMap(({ uncommon }) => [...uncommon.keys()]));
}
