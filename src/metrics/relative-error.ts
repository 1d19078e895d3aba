/** Error over a reference network's, in each domain or corruption. */

import { defineMetric } from "./metric.ts";
import { meanRelativeError } from "./relative-errors.ts";

export const relativeError = defineMetric({
  name: "relative-error",
  title: "error over the reference's",
  better: "lower",
  bounds: [0, Number.POSITIVE_INFINITY],
  needs: ["reference-errors"],
  of: ({ relative }) => relative.map((one) => ({ of: one.of, ...meanRelativeError([one]) })),
});
