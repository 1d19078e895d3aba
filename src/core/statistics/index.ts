/** Statistics of plain number columns, each checked against SciPy or NumPy: see test/references/scipy_statistics.py. */

export {
  type BootstrapOptions,
  bootstrapInterval,
  type Statistic,
} from "./bootstrap.ts";
export type { Interval } from "./checks.ts";
export {
  type Counts,
  cramersV,
  mutualInformation,
  normalisedMutualInformation,
} from "./contingency.ts";
export { type PearsonResult, pearson } from "./correlation.ts";
export { normalCdf, normalQuantile } from "./distributions.ts";
export { averageRanks, kendall, spearman } from "./ranks.ts";
export { type LinearRegression, linearRegression } from "./regression.ts";
export { mean, quantile, standardDeviation, standardError, variance } from "./summary.ts";
export { type WeightedRegression, weightedRegression } from "./weighted-regression.ts";
export { wilsonInterval } from "./wilson.ts";
