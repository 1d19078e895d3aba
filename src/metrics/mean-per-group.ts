/** Unbiased accuracy: every group counts the same, however many images it has. */

import { defineMetric } from "./metric.ts";
import { weightedAccuracy } from "./weighted.ts";

/** Acc(α = 0), the mean over occupied groups: Shrestha et al. 2022, section 2. */
export const meanPerGroup = defineMetric({
  name: "mean-per-group",
  title: "mean of the group accuracies (unbiased accuracy)",
  better: "higher",
  bounds: [0, 1],
  needs: [],
  of: ({ groups }) => [{ of: null, ...weightedAccuracy(groups, () => 1) }],
});
