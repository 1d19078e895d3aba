/**
 * The distributions of the theory (appendix B of Salaudeen et al. 2025): labels Y = ±1, domain-general features around
 * Y·μ_dg, and spurious features M z with z around Y·μ_spu, where a domain is its M, or a mixture of several.
 */

import { CuelabError } from "../core/errors.ts";
import {
  blockDiagonal,
  cholesky,
  congruent,
  outer,
  type RealMatrix,
  scaled,
  scaledIdentity,
  sum,
  symmetricEigenvalues,
  timesVector,
  type Vector,
} from "./matrix.ts";

/** What all domains share. */
export interface World {
  meanGeneral: Vector;
  covarianceGeneral: RealMatrix;
  meanSpurious: Vector;
  covarianceSpurious: RealMatrix;
  /**
   * How often the domain-general features follow the other label, as in Colored MNIST: what they can tell is then
   * bounded by 1 minus this. The paper's text has none; its published experiments had 0.25.
   */
  labelNoise: number;
}

/** One M, or a mixture of several; weights sum to 1. */
export type Domain = readonly { weight: number; shift: RealMatrix }[];

/** A Gaussian part of the distribution of Y·x: by symmetry both classes have it. */
export interface Component {
  weight: number;
  mean: Vector;
  covariance: RealMatrix;
}

/** The paper's parameters: μ = (1, 1) for both parts, unit variances. */
export const paperWorld: World = {
  meanGeneral: [1, 1],
  covarianceGeneral: scaledIdentity(2),
  meanSpurious: [1, 1],
  covarianceSpurious: scaledIdentity(2),
  labelNoise: 0,
};

export function checkWorld(world: World): void {
  checkPart("μ_dg", world.meanGeneral, "Σ_dg", world.covarianceGeneral);
  checkPart("μ_spu", world.meanSpurious, "Σ_spu", world.covarianceSpurious);
  if (!(world.labelNoise >= 0 && world.labelNoise < 0.5)) {
    throw new CuelabError({
      kind: "usage",
      what: "no such label noise",
      expected: "a number from 0 to below 0.5",
      got: String(world.labelNoise),
    });
  }
}

/** A domain of one shift. */
export function shifted(shift: RealMatrix): Domain {
  return [{ weight: 1, shift }];
}

/** Refuses a shift that does not fit the spurious features. */
export function checkShift(shift: RealMatrix, { meanSpurious }: World): void {
  const size = meanSpurious.length;
  if (shift.length === size && shift.every((row) => row.length === size)) return;
  throw new CuelabError({
    kind: "usage",
    what: "the shift does not fit the spurious features",
    expected: `${size} rows of ${size} numbers, as μ_spu has ${size}`,
    got: shift.map((row) => row.join(",")).join(";"),
  });
}

/** The Gaussian parts of Y·x: one a shift, and a second with the other sign of μ_dg where labels are noisy. */
export function componentsOf(world: World, domain: Domain): Component[] {
  const { meanGeneral, covarianceGeneral, meanSpurious, covarianceSpurious, labelNoise } = world;
  const signs = labelNoise === 0 ? [{ sign: 1, share: 1 }] : signsOf(labelNoise);
  return domain.flatMap(({ weight, shift }) => {
    const spurious = timesVector(shift, meanSpurious);
    const covariance = blockDiagonal(covarianceGeneral, congruent(shift, covarianceSpurious));
    return signs.map(({ sign, share }) => ({
      weight: weight * share,
      mean: [...meanGeneral.map((value) => sign * value), ...spurious],
      covariance,
    }));
  });
}

export interface Moments {
  mean: Vector;
  covariance: RealMatrix;
}

/** Mean and covariance of Y·Z_spu, M μ_spu and Σ_φ in the paper's letters. */
export function spuriousMoments({ meanSpurious, covarianceSpurious }: World, domain: Domain): Moments {
  return mixtureMoments(
    domain.map(({ weight, shift }) => ({
      weight,
      mean: timesVector(shift, meanSpurious),
      covariance: congruent(shift, covarianceSpurious),
    })),
  );
}

/** Mean and covariance of Y·Z_dg. */
export function generalMoments({ meanGeneral, covarianceGeneral, labelNoise }: World): Moments {
  return mixtureMoments(
    signsOf(labelNoise).map(({ sign, share }) => ({
      weight: share,
      mean: meanGeneral.map((value) => sign * value),
      covariance: covarianceGeneral,
    })),
  );
}

/**
 * A sub-Gaussian parameter of Y·Z_spu: exact for one Gaussian, an upper bound for a mixture. Given its component it is
 * Gaussian with at most the largest variance; the component's mean lies in an interval, whose half length is its
 * parameter (Hoeffding's lemma); variances of the two add.
 */
export function subGaussianParameter({ meanSpurious, covarianceSpurious }: World, domain: Domain): number {
  const means = domain.map(({ shift }) => timesVector(shift, meanSpurious));
  const variances = domain.map(({ shift }) => symmetricEigenvalues(congruent(shift, covarianceSpurious))[0]!);
  let diameter = 0;
  for (const one of means)
    for (const other of means) diameter = Math.max(diameter, Math.hypot(...one.map((v, i) => v - other[i]!)));
  return Math.hypot(Math.sqrt(Math.max(0, ...variances)), diameter / 2);
}

function signsOf(labelNoise: number) {
  return [
    { sign: 1, share: 1 - labelNoise },
    { sign: -1, share: labelNoise },
  ];
}

function mixtureMoments(components: readonly Component[]): Moments {
  const mean = components[0]!.mean.map((_, i) =>
    components.reduce((total, component) => total + component.weight * component.mean[i]!, 0),
  );
  const covariance = components
    .map((component) => {
      const away = component.mean.map((value, i) => value - mean[i]!);
      return scaled(sum(component.covariance, outer(away)), component.weight);
    })
    .reduce(sum);
  return { mean, covariance };
}

function checkPart(meanName: string, mean: Vector, name: string, covariance: RealMatrix): void {
  if (mean.every((value) => value === 0)) {
    throw new CuelabError({
      kind: "usage",
      what: `${meanName} tells nothing of the label`,
      expected: "numbers, one of them not 0",
      got: mean.join(","),
    });
  }
  const size = mean.length;
  if (covariance.length !== size || covariance.some((row) => row.length !== size)) {
    throw new CuelabError({
      kind: "usage",
      what: `${name} does not fit ${meanName}`,
      expected: `${size} rows of ${size} numbers`,
      got: covariance.map((row) => row.join(",")).join(";"),
    });
  }
  cholesky(covariance, name);
}
