/** For each cue, which images tell whether a model leans on it: those where it is uncommon, against what they are held to. */

import { type Alignment, cellImages } from "../alignment.ts";
import type { Tally } from "../counts.ts";
import type { CueHalves } from "../cue-halves.ts";
import type { Evaluation } from "../evaluation.ts";
import { addCell, type ClassWeights, trainingWeights } from "../in-distribution.ts";

/** Two weighted means of the accuracies of some tallies; the weights of each add up to one. */
export interface CueContrast {
  /** The cues that are uncommon: one, or all of them together. */
  cues: readonly string[];
  uncommon: ClassWeights;
  common: ClassWeights;
}

/**
 * `cells`: where a cue is uncommon and all others common, against I.D. accuracy, as in Li et al. 2023. `halves`: the minority of a
 * cue against its majority, whatever the others are, as in Shrestha et al. 2022: for more cues than can be crossed, and where
 * nothing is known of training.
 */
export type ContrastKind = "cells" | "halves";

export interface CueContrasts {
  kind: ContrastKind;
  contrasts: readonly CueContrast[];
}

/** Null without a cue that has images on both sides. */
export function contrastsOf({
  alignment,
  cues,
}: Pick<Evaluation, "alignment" | "cues">): CueContrasts | null {
  const crossed = alignment && alone(alignment).every((cell) => cellImages(cell) > 0);
  const contrasts = crossed ? cellContrasts(alignment) : cues.flatMap(halfContrast);
  return contrasts.length === 0 ? null : { kind: crossed ? "cells" : "halves", contrasts };
}

function alone({ cells }: Alignment) {
  return cells.filter(({ uncommon }) => uncommon.length === 1);
}

function cellContrasts(alignment: Alignment): CueContrast[] {
  const { cues, cells } = alignment;
  const together = cues.length < 2 ? [] : cells.filter(({ uncommon }) => uncommon.length === cues.length);
  return [...alone(alignment), ...together.filter((cell) => cellImages(cell) > 0)].map((cell) => {
    const uncommon: ClassWeights = new Map();
    addCell(uncommon, cell, 1);
    return { cues: cell.uncommon, uncommon, common: trainingWeights(alignment, 1) };
  });
}

function halfContrast({ cue, majority, minority }: CueHalves): CueContrast[] {
  if (majority.count === 0 || minority.count === 0) return [];
  return [{ cues: [cue], uncommon: new Map([[minority, 1]]), common: new Map([[majority, 1]]) }];
}

/** Weights of the gap: uncommon less common. */
export function gapWeights({ uncommon, common }: CueContrast): ClassWeights {
  const weights: ClassWeights = new Map(uncommon);
  for (const [tally, weight] of common) weights.set(tally, (weights.get(tally) ?? 0) - weight);
  return weights;
}

/** Which of two models a tally is asked of. */
export type ComparedSide = "method" | "baseline";

export function weightedAccuracyOf(weights: ClassWeights, side: ComparedSide): number {
  let sum = 0;
  for (const [tally, weight] of weights) sum += (weight * rightOf(tally, side)) / tally.count;
  return sum;
}

function rightOf({ correct, baselineCorrect }: Tally, side: ComparedSide): number {
  return side === "method" ? correct : baselineCorrect!;
}
