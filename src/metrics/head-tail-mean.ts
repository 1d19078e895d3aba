/** The mean of head and tail accuracy, for each β. */

import { combinedInterval, wilsonTerm } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** The numbers of Shrestha et al. 2022, Table 2. */
export const headTailMean = defineMetric({
  name: "head-tail-mean",
  title: "mean of head and tail accuracy",
  better: "higher",
  bounds: [0, 1],
  needs: ["head-tail"],
  of: ({ headTail }) =>
    headTail.map(({ beta, head, tail }) => {
      const count = head.count + tail.count;
      if (head.count === 0 || tail.count === 0) {
        return { of: String(beta), value: null, interval: null, count };
      }
      const terms = [wilsonTerm(0.5, head), wilsonTerm(0.5, tail)];
      const value = (head.correct / head.count + tail.correct / tail.count) / 2;
      return { of: String(beta), value, interval: combinedInterval(terms), count };
    }),
});
