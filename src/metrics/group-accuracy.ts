/** The accuracy of each group, null for a group without images. */

import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

export const groupAccuracy = defineMetric({
  name: "group-accuracy",
  title: "accuracy of each group",
  better: "higher",
  bounds: [0, 1],
  needs: [],
  of: ({ groups }) =>
    groups.map((group) => ({
      of: group.name,
      value: group.count === 0 ? null : group.correct / group.count,
      interval: wilson(group),
      count: group.count,
    })),
});
