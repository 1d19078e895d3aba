/** The accuracy to expect where groups are as frequent as in training. */

import { defineMetric } from "./metric.ts";
import { weightedAccuracy } from "./weighted.ts";

/** Acc(α = 1); what group DRO papers call average accuracy. */
export const trainWeighted = defineMetric({
  name: "train-weighted",
  title: "group accuracies weighted by training group sizes",
  better: "higher",
  bounds: [0, 1],
  needs: ["training-counts"],
  of: ({ groups }) => [{ of: null, ...weightedAccuracy(groups, ({ train }) => train ?? 0) }],
});
