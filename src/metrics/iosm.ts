/** What a method gains over the standard model in each group. */

import { pairedGap } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** IOSM_g = Acc_g − Acc_StdM,g, with the named baseline as the standard model: Shrestha et al. 2022, section 2. */
export const iosm = defineMetric({
  name: "iosm",
  title: "improvement over the baseline in each group",
  better: "higher",
  bounds: [-1, 1],
  needs: ["baseline"],
  of: ({ groups }) => groups.map((group) => ({ of: group.name, ...pairedGap(group) })),
});
