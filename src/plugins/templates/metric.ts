/** A metric to begin with: how far the best group is from the worst. */

import { titled } from "./titled.ts";

export const metricTemplate = (
  name: string,
): string => `/** ${name}: how far the accuracy of the best group is from that of the worst. */

import { defineMetric, definePlugin } from "cuelab/plugin";

const metric = defineMetric({
  name: "${name}",
  title: "${titled(name)}: best less worst group",
  better: "lower",
  bounds: [0, 1],
  // What must be known for it: "training-counts", "cues", "baseline", "head-tail", "confidence" or "alignment".
  needs: [],
  of({ groups, all }) {
    // A group without images has no accuracy; it is left out, and never counts as 0.
    const accuracies = groups.filter(({ count }) => count > 0).map(({ correct, count }) => correct / count);
    const value = accuracies.length === 0 ? null : Math.max(...accuracies) - Math.min(...accuracies);
    return [{ of: null, value, interval: null, count: all.count }];
  },
});

export default definePlugin({ metrics: [metric] });
`;
