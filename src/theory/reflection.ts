/**
 * The example of appendix A.7: M = αR, where R reflects what lies along w_spu, is meant to be well-specified and on the
 * line at once. Evaluates both of its claims by formula.
 */

import { signalToNoise } from "./accuracy.ts";
import { bestWeights } from "./best-weights.ts";
import { checkWorld, componentsOf, shifted, type World } from "./domain.ts";
import {
  congruent,
  dot,
  quadratic,
  type RealMatrix,
  scaled,
  scaledIdentity,
  timesVector,
  type Vector,
} from "./matrix.ts";
import { reflection } from "./shifts.ts";

export interface ReflectionOptions {
  world: World;
  delta: number;
  /** a of equation 37. */
  slope: number;
  alphas: readonly number[];
}

interface ReflectionRow {
  alpha: number;
  /** w_spu·M μ_spu. */
  reversal: number;
  /** √(2 w·MΣMᵀw log(1/δ)). */
  margin: number;
  /** Equation 36: reversal + margin < 0. */
  reversed: boolean;
  /** The smallest δ for which equation 36 holds; α cancels out of it. */
  smallestDelta: number;
  /** Φ⁻¹ of the accuracy out-of-distribution. */
  oodProbit: number;
  /** |Φ⁻¹(ID) − a Φ⁻¹(OOD)| of equation 37. */
  distance: number;
  wellSpecified: boolean;
}

export interface ReflectionReport {
  reflection: RealMatrix;
  weights: { general: Vector; spurious: Vector };
  idProbit: number;
  generalProbit: number;
  rows: ReflectionRow[];
  /** What A.7 chooses for δ, max(1 + η, √(2 w·Σw log(1/δ)) / w·μ) with η = 0. */
  paperAlpha: number;
  /** The α that puts the classifier on the line of slope a exactly; null where none above 0 does. */
  alphaOnLine: number | null;
}

export function reflectionExample({ world, delta, slope, alphas }: ReflectionOptions): ReflectionReport {
  checkWorld(world);
  const weights = bestWeights(world);
  const { general, spurious } = weights;
  const all = [...general, ...spurious];
  const mirror = reflection(spurious);
  const [id] = componentsOf(world, shifted(scaledIdentity(spurious.length)));
  const idProbit = signalToNoise(all, id!);
  const generalProbit = signalToNoise([...general, ...spurious.map(() => 0)], id!);
  const row = (alpha: number): ReflectionRow => {
    const shift = scaled(mirror, alpha);
    const reversal = dot(spurious, timesVector(shift, world.meanSpurious));
    const variance = quadratic(congruent(shift, world.covarianceSpurious), spurious);
    const margin = Math.sqrt(2 * variance * Math.log(1 / delta));
    const [ood] = componentsOf(world, shifted(shift));
    const oodProbit = signalToNoise(all, ood!);
    return {
      alpha,
      reversal,
      margin,
      reversed: reversal + margin < 0,
      smallestDelta: reversal < 0 ? Math.exp(-(reversal ** 2) / (2 * variance)) : 1,
      oodProbit,
      distance: Math.abs(idProbit - slope * oodProbit),
      wellSpecified: oodProbit < generalProbit,
    };
  };
  const signal = dot(spurious, world.meanSpurious);
  const noise = quadratic(world.covarianceSpurious, spurious);
  return {
    reflection: mirror,
    weights,
    idProbit,
    generalProbit,
    rows: alphas.map(row),
    paperAlpha: Math.max(1, Math.sqrt(2 * noise * Math.log(1 / delta)) / signal),
    alphaOnLine: alphaFor(idProbit / slope, (alpha) => row(alpha).oodProbit),
  };
}

/** The OOD probit falls with α as long as it is positive: halve the interval. */
function alphaFor(wanted: number, probit: (alpha: number) => number): number | null {
  if (!(wanted > 0 && wanted < probit(0))) return null;
  let [low, high] = [0, 1];
  while (probit(high) > wanted) high *= 2;
  for (let step = 0; step < 200 && low < high; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (probit(middle) > wanted) low = middle;
    else high = middle;
  }
  return high;
}
