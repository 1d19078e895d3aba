/** Errors over a reference network's, in each domain or corruption and on average: mDE of ImageNet-D and mCE of ImageNet-C, with AlexNet's. */

import { defineMetric } from "./metric.ts";
import { meanRelativeError } from "./relative-errors.ts";

const common = {
  better: "lower",
  bounds: [0, Number.POSITIVE_INFINITY],
  needs: ["reference-errors"],
} as const;

export const relativeError = defineMetric({
  name: "relative-error",
  title: "error over the reference's",
  ...common,
  of: ({ relative }) => relative.map((one) => ({ of: one.of, ...meanRelativeError([one]) })),
});

export const meanRelative = defineMetric({
  name: "mean-relative-error",
  title: "mean error over the reference's (mDE, mCE)",
  ...common,
  of: ({ relative }) => (relative.length === 0 ? [] : [{ of: null, ...meanRelativeError(relative) }]),
});
