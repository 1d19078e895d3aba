/** How far confidence and accuracy lie apart. */

import { defineMetric } from "./metric.ts";

/**
 * ECE = Σ_b n_b/n · |accuracy_b − confidence_b| over bins of equal width in the probability of the predicted class
 * (Guo et al. 2017). It has no simple interval: it is biased upwards for few images.
 */
export const calibrationError = defineMetric({
  name: "calibration-error",
  title: "expected calibration error",
  better: "lower",
  bounds: [0, 1],
  needs: ["confidence"],
  of: ({ calibration }) => {
    const bins = calibration ?? [];
    const count = bins.reduce((sum, bin) => sum + bin.count, 0);
    const apart = bins.reduce((sum, { correct, confidence }) => sum + Math.abs(correct - confidence), 0);
    return [{ of: null, value: count === 0 ? null : apart / count, interval: null, count }];
  },
});
