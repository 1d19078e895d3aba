/** What a method gains over the baseline on all images. */

import { pairedInterval } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

export const baselineDifference = defineMetric({
  name: "baseline-difference",
  title: "accuracy over samples less the baseline's",
  better: "higher",
  bounds: [-1, 1],
  needs: ["baseline"],
  of: ({ all }) => [
    {
      of: null,
      value: all.count === 0 ? null : (all.correct - (all.baselineCorrect ?? 0)) / all.count,
      interval: pairedInterval(all),
      count: all.count,
    },
  ],
});
