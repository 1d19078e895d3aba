/** The classifier of highest accuracy in-distribution (definition 4), where it is known by formula. */

import { CuelabError } from "../core/errors.ts";
import type { World } from "./domain.ts";
import { solve, type Vector } from "./matrix.ts";

/** Σ⁻¹μ of either part: for Gaussian classes of one covariance no classifier is better (Fisher's discriminant, M = I). */
export function bestWeights(world: World): { general: Vector; spurious: Vector } {
  if (world.labelNoise > 0) {
    throw new CuelabError({
      kind: "usage",
      what: "with label noise the best classifier has no closed form",
      expected: "label noise 0 for this setting",
      got: String(world.labelNoise),
    });
  }
  return {
    general: solve(world.covarianceGeneral, world.meanGeneral),
    spurious: solve(world.covarianceSpurious, world.meanSpurious),
  };
}
