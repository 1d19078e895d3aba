/** The group that is got wrong most often. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** Of equally bad groups the first; empty groups have no accuracy and are passed over. */
export const worstGroup = defineMetric({
  name: "worst-group",
  title: "lowest group accuracy",
  better: "higher",
  bounds: [0, 1],
  needs: [],
  of: ({ groups }) => {
    const occupied = groups.filter(({ count }) => count > 0);
    const [first, ...others] = occupied;
    if (first === undefined) return [{ of: null, value: null, interval: null, count: 0 }];
    const worst = others.reduce(
      (least, group) => (group.correct / group.count < least.correct / least.count ? group : least),
      first,
    );
    const { name, count, correct } = worst;
    return [{ of: name, value: correct / count, interval: wilson(worst), count }];
  },
});
