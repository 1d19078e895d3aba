/** What a method gains over the standard model where every group counts the same. */

import { combinedInterval, pairedInterval } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** The mean of IOSM_g over occupied groups, which is the difference of the two unbiased accuracies. */
export const meanIosm = defineMetric({
  name: "mean-iosm",
  title: "mean of the group improvements over the baseline",
  better: "higher",
  bounds: [-1, 1],
  needs: ["baseline"],
  of: ({ groups }) => {
    const occupied = groups.filter(({ count }) => count > 0);
    const count = occupied.reduce((sum, group) => sum + group.count, 0);
    if (occupied.length === 0) return [{ of: null, value: null, interval: null, count }];
    const terms = occupied.map((group) => ({
      weight: 1 / occupied.length,
      estimate: (group.correct - (group.baselineCorrect ?? 0)) / group.count,
      ...pairedInterval(group)!,
    }));
    const value = terms.reduce((sum, { weight, estimate }) => sum + weight * estimate, 0);
    return [{ of: null, value, interval: combinedInterval(terms), count }];
  },
});
