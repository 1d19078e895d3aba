/** The conditions of theorems 1 and 2 (Salaudeen et al. 2025) for given weights and a given shift, by formula. */

import type { Moments } from "./domain.ts";
import { dot, length, quadratic, type Vector } from "./matrix.ts";

export interface TheoremOneInput {
  /** w_spu, the weights of the classifier on the spurious features. */
  weights: Vector;
  /** M μ_spu, the mean of the spurious features after the shift. */
  shiftedMean: Vector;
  /** κ, the sub-Gaussian parameter before the shift. */
  kappa: number;
  /** L, the Lipschitz constant of the shift: for z → M z the spectral norm of M. */
  lipschitz: number;
  delta: number;
}

export interface TheoremOne {
  /** w_spu·M μ_spu: below 0 the cue is reversed. */
  reversal: number;
  /** √2 L κ ‖w_spu‖ √log(1/δ). */
  margin: number;
  /** reversal + margin < 0: the sufficient condition. */
  holds: boolean;
  /** The smallest δ for which it holds; 1 where there is no reversal, for which none does. */
  smallestDelta: number;
}

export function theoremOne({ weights, shiftedMean, kappa, lipschitz, delta }: TheoremOneInput): TheoremOne {
  const reversal = dot(weights, shiftedMean);
  const spread = lipschitz * kappa * length(weights);
  const margin = Math.SQRT2 * spread * Math.sqrt(Math.log(1 / delta));
  // reversal + spread √(2 log(1/δ)) < 0 solved for δ.
  const smallestDelta = reversal < 0 ? Math.exp(-((reversal / spread) ** 2) / 2) : 1;
  return { reversal, margin, holds: reversal + margin < 0, smallestDelta };
}

export interface TheoremTwoInput {
  weightsGeneral: Vector;
  weightsSpurious: Vector;
  /** Of Y·Z_dg. */
  general: Moments;
  /** Of Y·Z_spu after the shift: M μ_spu and Σ_φ. */
  spurious: Moments;
}

export interface TheoremTwo {
  /** Signal to noise of the classifier that uses all features, after the shift. */
  left: number;
  /** Signal to noise of its domain-general part alone. */
  right: number;
  /** left < right: necessary and sufficient where both scores are Gaussian. */
  holds: boolean;
  /** Which of the two ways it holds by. */
  reason: "reversal" | "low signal to noise" | null;
}

/** Equation 10. */
export function theoremTwo(input: TheoremTwoInput): TheoremTwo {
  const { weightsGeneral, weightsSpurious, general, spurious } = input;
  const signal = dot(weightsGeneral, general.mean);
  const noise = quadratic(general.covariance, weightsGeneral);
  const cue = dot(weightsSpurious, spurious.mean);
  const left = (signal + cue) / Math.sqrt(noise + quadratic(spurious.covariance, weightsSpurious));
  const right = signal / Math.sqrt(noise);
  const holds = left < right;
  return { left, right, holds, reason: holds ? (cue < 0 ? "reversal" : "low signal to noise") : null };
}
