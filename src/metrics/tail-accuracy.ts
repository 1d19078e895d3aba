/** Accuracy on the rare answers of each local group, for each β: what GQA-OOD calls acc-tail. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** Appendix A.1 of Shrestha et al. 2022. */
export const tailAccuracy = defineMetric({
  name: "tail-accuracy",
  title: "accuracy over rare answers of each local group",
  better: "higher",
  bounds: [0, 1],
  needs: ["head-tail"],
  of: ({ headTail }) =>
    headTail.map(({ beta, tail }) => ({
      of: String(beta),
      value: tail.count === 0 ? null : tail.correct / tail.count,
      interval: wilson(tail),
      count: tail.count,
    })),
});
