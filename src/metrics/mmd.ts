/** How much a model gains from a cue: the difference between its majority and its minority. */

import { combinedInterval, wilsonTerm } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** MMD = Acc_majority − Acc_minority: Shrestha et al. 2022, section 2. 0 where the cue is not used. */
export const mmd = defineMetric({
  name: "mmd",
  title: "majority/minority difference",
  better: "lower",
  bounds: [-1, 1],
  needs: ["cues"],
  of: ({ cues }) =>
    cues.map(({ cue, majority, minority }) => {
      const count = majority.count + minority.count;
      if (majority.count === 0 || minority.count === 0)
        return { of: cue, value: null, interval: null, count };
      const terms = [wilsonTerm(1, majority), wilsonTerm(-1, minority)];
      return {
        of: cue,
        value: majority.correct / majority.count - minority.correct / minority.count,
        interval: combinedInterval(terms),
        count,
      };
    }),
});
