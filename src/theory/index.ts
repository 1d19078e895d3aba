/** The theory of accuracy on the line: distributions, closed forms, conditions, simulations. */

export { exactAccuracy, sampledAccuracy } from "./accuracy.ts";
export { bestWeights } from "./best-weights.ts";
export { type TheoremOne, type TheoremTwo, theoremOne, theoremTwo } from "./conditions.ts";
export {
  type Component,
  componentsOf,
  type Domain,
  paperWorld,
  shifted,
  subGaussianParameter,
  type World,
} from "./domain.ts";
export { families } from "./families.ts";
export { fitLogistic } from "./logistic.ts";
export type { RealMatrix, Vector } from "./matrix.ts";
export { type ReflectionReport, reflectionExample } from "./reflection.ts";
export { drawSample, type Sample } from "./sample.ts";
export { namedDomains, settings } from "./settings.ts";
export { type ShareReport, wellSpecifiedShare } from "./share.ts";
export { reflection, shiftKinds } from "./shifts.ts";
export { type SimulationReport, simulate } from "./simulate.ts";
