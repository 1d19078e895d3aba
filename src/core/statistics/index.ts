/**
 * Statistics of plain number columns, each checked against SciPy, NumPy or statsmodels: see test/references/scipy_statistics.py
 * and seeds.py. Every table takes its intervals and tests from here.
 */

export { type Association, type AssociationOptions, associationOf } from "./association.ts";
export {
  type BootstrapOptions,
  bootstrapInterval,
  type Statistic,
} from "./bootstrap.ts";
export type { Interval } from "./checks.ts";
export {
  type ClusterBootstrapOptions,
  type ClusterSums,
  clusterBootstrap,
  clusterSums,
  fewestClusters,
} from "./cluster-bootstrap.ts";
export {
  type Counts,
  cramersV,
  mutualInformation,
  normalisedMutualInformation,
} from "./contingency.ts";
export { type PearsonResult, pearson } from "./correlation.ts";
export { normalCdf, normalQuantile } from "./distributions.ts";
export {
  checkAlpha,
  checkMargin,
  type EquivalenceOptions,
  type EquivalenceResult,
  equivalenceTest,
} from "./equivalence.ts";
export { benjaminiHochberg, benjaminiYekutieli, holm } from "./multiple.ts";
export { markOf, type NotWorse, notWorseThanBest, type SeedValue } from "./not-worse.ts";
export {
  type Claim,
  effectOutcome,
  effectOutcomes,
  holmOfKnown,
  type JudgedClaim,
  type Outcome,
  type OutcomeOptions,
} from "./outcome.ts";
export { type PairedResult, pairedDifference } from "./paired.ts";
export { type PairedCounts, type PairedShares, pairedShares } from "./paired-shares.ts";
export {
  type MaximumTest,
  type PermutationOptions,
  permutationTest,
  type SignFlipOptions,
  signFlipTest,
} from "./permutation.ts";
export { type PowerOptions, smallestEffect, smallestMean, studentPower } from "./power.ts";
export { averageRanks, kendall, spearman } from "./ranks.ts";
export { type PairedMoments, type RatioOptions, ratioInterval } from "./ratio.ts";
export { type LinearRegression, linearRegression } from "./regression.ts";
export { type RocArea, rocArea } from "./roc.ts";
export {
  meanOverSeeds,
  type SeedMean,
  type StudentTest,
  seedHalfWidth,
  studentQuantile,
  studentTest,
} from "./student-t.ts";
export { mean, quantile, standardDeviation, standardError, variance } from "./summary.ts";
export { fisherGreater, type ShareCounts, shareDifferenceInterval } from "./two-shares.ts";
export { type WeightedRegression, weightedRegression } from "./weighted-regression.ts";
export { wilsonInterval } from "./wilson.ts";
