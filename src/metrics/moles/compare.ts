/** From evaluations with a baseline, one table or one a seed, to what became of each cue's gap. */

import { checkAlpha, checkMargin } from "../../core/statistics/index.ts";
import type { Evaluation } from "../evaluation.ts";
import { type CompareOptions, comparisonName, type MoleComparison, usualMargin } from "./comparison.ts";
import {
  type ComparedSide,
  type CueContrast,
  type CueContrasts,
  contrastsOf,
  weightedAccuracyOf,
} from "./contrasts.ts";
import { flipsOf } from "./flips.ts";
import { compareOverImages } from "./over-images.ts";
import { type CueStanding, compareOverSeeds, type SeedPair } from "./over-seeds.ts";

type Compared = Pick<Evaluation, "alignment" | "cues">;

/**
 * Each evaluation has the method's predictions and the baseline's for the same images; several are seeds. Null where no cue has
 * images on both sides, or where seeds would be compared in different ways.
 */
export function compareToBaseline(
  evaluations: readonly Compared[],
  { margin = usualMargin, alpha = 0.05 }: CompareOptions = {},
): MoleComparison | null {
  checkMargin(margin);
  checkAlpha(alpha);
  const found = evaluations.map(contrastsOf);
  const [first] = found;
  if (!first || !found.every((each): each is CueContrasts => each?.kind === first.kind)) return null;
  const options = { margin, alpha };
  if (found.length === 1) {
    const cues = first.contrasts.map((contrast) => compareOverImages(contrast, options));
    return { kind: first.kind, over: "images", ...options, cues };
  }
  const cues = compareOverSeeds(found.map(pairOf), options).map((each) => {
    const same = (contrast: CueContrast) => comparisonName(contrast) === comparisonName(each);
    return { ...each, flips: flipsOf(found.flatMap(({ contrasts }) => contrasts.filter(same))) };
  });
  return { kind: first.kind, over: "seeds", ...options, cues };
}

/** The same from accuracies alone, such as those in results of runs. */
export function compareSeeds(
  pairs: readonly SeedPair[],
  kind: MoleComparison["kind"],
  { margin = usualMargin, alpha = 0.05 }: CompareOptions = {},
): MoleComparison {
  checkMargin(margin);
  checkAlpha(alpha);
  return { kind, over: "seeds", margin, alpha, cues: compareOverSeeds(pairs, { margin, alpha }) };
}

function pairOf({ contrasts }: CueContrasts): SeedPair {
  return { method: standings(contrasts, "method"), baseline: standings(contrasts, "baseline") };
}

function standings(contrasts: readonly CueContrast[], side: ComparedSide): CueStanding[] {
  return contrasts.map(({ cues, uncommon, common }) => ({
    cues,
    uncommon: weightedAccuracyOf(uncommon, side),
    common: weightedAccuracyOf(common, side),
  }));
}
