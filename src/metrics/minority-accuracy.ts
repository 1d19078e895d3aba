/** Accuracy where the cue misleads: over all images that show another value than the one going with their class. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** The Min. columns of Shrestha et al. 2022, Table A4: plain accuracy over samples, for each cue. */
export const minorityAccuracy = defineMetric({
  name: "minority-accuracy",
  title: "accuracy over images whose cue does not go with their class",
  better: "higher",
  bounds: [0, 1],
  needs: ["cues"],
  of: ({ cues }) =>
    cues.map(({ cue, minority }) => ({
      of: cue,
      value: minority.count === 0 ? null : minority.correct / minority.count,
      interval: wilson(minority),
      count: minority.count,
    })),
});
