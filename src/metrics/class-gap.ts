/** What changes in each class between two tables of the same images, such as with and without a watermark. */

import { pairedGap } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** The carton gap of Li et al. 2023 is that of one class: accuracy with the mark less accuracy without it. */
export const classGap = defineMetric({
  name: "class-gap",
  title: "accuracy less the baseline's, in each class",
  better: "higher",
  bounds: [-1, 1],
  needs: ["baseline"],
  of: ({ classes }) => classes.map(({ name, ...tally }) => ({ of: name, ...pairedGap(tally) })),
});
