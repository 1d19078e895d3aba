/** Mean error over a reference network's: mDE of ImageNet-D and mCE of ImageNet-C, with AlexNet's errors. */

import { defineMetric } from "./metric.ts";
import { meanRelativeError } from "./relative-errors.ts";

export const meanRelative = defineMetric({
  name: "mean-relative-error",
  title: "mean error over the reference's (mDE, mCE)",
  better: "lower",
  bounds: [0, Number.POSITIVE_INFINITY],
  needs: ["reference-errors"],
  of: ({ relative }) => (relative.length === 0 ? [] : [{ of: null, ...meanRelativeError(relative) }]),
});
