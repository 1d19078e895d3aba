/** Accuracy on the frequent answers of each local group, for each β. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** Appendix A.1 of Shrestha et al. 2022. */
export const headAccuracy = defineMetric({
  name: "head-accuracy",
  title: "accuracy over frequent answers of each local group",
  better: "higher",
  bounds: [0, 1],
  needs: ["head-tail"],
  of: ({ headTail }) =>
    headTail.map(({ beta, head }) => ({
      of: String(beta),
      value: head.count === 0 ? null : head.correct / head.count,
      interval: wilson(head),
      count: head.count,
    })),
});
