/** Accuracy where the cue is right: over all images that show the value going with their class. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** The Maj. columns of Shrestha et al. 2022, Table A4: plain accuracy over samples, for each cue. */
export const majorityAccuracy = defineMetric({
  name: "majority-accuracy",
  title: "accuracy over images whose cue goes with their class",
  better: "higher",
  bounds: [0, 1],
  needs: ["cues"],
  of: ({ cues }) =>
    cues.map(({ cue, majority }) => ({
      of: cue,
      value: majority.count === 0 ? null : majority.correct / majority.count,
      interval: wilson(majority),
      count: majority.count,
    })),
});
