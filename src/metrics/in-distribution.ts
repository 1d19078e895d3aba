/** The accuracy to expect where cues go with classes as often as in training. */

import { type AlignedCell, type Alignment, cellImages } from "./alignment.ts";
import type { Tally } from "./counts.ts";
import { combinedInterval, wilsonTerm } from "./intervals.ts";
import { defineMetric, type Score } from "./metric.ts";

/**
 * I.D. Acc of Li et al. 2023 (Whac-A-Mole), section 2.1: cells of common and uncommon cues, each the mean of its class
 * accuracies, weighted by their shares of training. For UrbanCars .9025, .0475, .0475 and .0025.
 */
export const inDistribution = defineMetric({
  name: "in-distribution",
  title: "accuracy where cues are as common as in training (I.D.)",
  better: "higher",
  bounds: [0, 1],
  needs: ["alignment"],
  of: ({ alignment }) => {
    const count = alignment!.cells.reduce((sum, cell) => sum + cellImages(cell), 0);
    return [{ of: null, ...weighted(trainingWeights(alignment!, 1)), count }];
  },
});

/** Weights of the classes of each cell; those of one cell are equal, and those of all cells add up to `total`. */
export type ClassWeights = Map<Tally, number>;

/** Cells without images to evaluate have no part in it, whatever their share of training. */
export function trainingWeights({ cells }: Alignment, total: number): ClassWeights {
  const occupied = cells.filter((cell) => cell.share > 0 && cellImages(cell) > 0);
  const shares = occupied.reduce((sum, { share }) => sum + share, 0);
  const weights: ClassWeights = new Map();
  for (const cell of occupied) addCell(weights, cell, (total * cell.share) / shares);
  return weights;
}

export function addCell(weights: ClassWeights, { classes }: AlignedCell, weight: number): void {
  const occupied = classes.filter(({ count }) => count > 0);
  for (const tally of occupied) weights.set(tally, (weights.get(tally) ?? 0) + weight / occupied.length);
}

/** The weighted sum of class accuracies; null without any. */
export function weighted(weights: ClassWeights): Pick<Score, "value" | "interval"> {
  if (weights.size === 0) return { value: null, interval: null };
  const terms = Array.from(weights, ([tally, weight]) => wilsonTerm(weight, tally));
  const value = terms.reduce((sum, { weight, estimate }) => sum + weight * estimate, 0);
  return { value, interval: combinedInterval(terms) };
}
