/** Accuracy under training priors raised to the power α: from inverted (−1) over equal (0) to amplified (2). */

import type { CountedGroup } from "./groups.ts";
import { defineMetric, type Score } from "./metric.ts";
import { occupiedOf, weightedAccuracy } from "./weighted.ts";

/** Acc(α) = Σ p_g^α Acc_g / Σ p_g^α, with p_g the training prior of group g: Shrestha et al. 2022, section 2. */
export const accAlpha = defineMetric({
  name: "acc-alpha",
  title: "accuracy under training priors to the power α",
  better: "higher",
  bounds: [0, 1],
  needs: ["training-counts"],
  of: ({ groups, alphas }) =>
    alphas.map((alpha) => ({ of: String(alpha), ...accuracyAtAlpha(groups, alpha) })),
});

function accuracyAtAlpha(groups: readonly CountedGroup[], alpha: number): Omit<Score, "of"> {
  const { occupied, count } = occupiedOf(groups);
  // Without training images a group's weight is infinite for α < 0: there is no such average.
  if (alpha < 0 && occupied.some(({ train }) => !train)) return { value: null, interval: null, count };
  // Relative to the largest prior, so that no power leaves the doubles; the common factor cancels.
  const largest = occupied.reduce((most, { train }) => Math.max(most, train ?? 0), 0);
  if (alpha === 0) return weightedAccuracy(groups, () => 1);
  return weightedAccuracy(groups, ({ train }) => ((train ?? 0) / largest) ** alpha);
}
