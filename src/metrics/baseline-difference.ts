/** What a method gains over the baseline on all images. */

import { pairedGap } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

export const baselineDifference = defineMetric({
  name: "baseline-difference",
  title: "accuracy over samples less the baseline's",
  better: "higher",
  bounds: [-1, 1],
  needs: ["baseline"],
  of: ({ all }) => [{ of: null, ...pairedGap(all) }],
});
