/**
 * Trains a domain-general and a domain-specific classifier on one domain, tries them on others, and sets beside every
 * sampled accuracy its closed form, beside every comparison what the theorems say, and beside both the line that a
 * family of classifiers makes.
 */

import { fitLine, type LineFit } from "../audits/line/fit.ts";
import { randomStream } from "../core/random.ts";
import { exactAccuracy, sampledAccuracy, samplingError } from "./accuracy.ts";
import { type TheoremOne, type TheoremTwo, theoremOne, theoremTwo } from "./conditions.ts";
import {
  type Component,
  checkShift,
  checkWorld,
  componentsOf,
  type Domain,
  generalMoments,
  spuriousMoments,
  subGaussianParameter,
  type World,
} from "./domain.ts";
import { families } from "./families.ts";
import { fitLogistic } from "./logistic.ts";
import { spectralNorm, symmetricEigenvalues, type Vector } from "./matrix.ts";
import { drawSample, type Sample } from "./sample.ts";
import type { NamedDomain } from "./settings.ts";

export interface SimulationOptions {
  world: World;
  training: Domain;
  tests: readonly NamedDomain[];
  /** Rows to train on. */
  samples: number;
  /** Rows of each domain to try the classifiers on. */
  testSamples: number;
  ridge: number;
  /** Name of a family of classifiers. */
  family: string;
  classifiers: number;
  /** Of theorem 1. */
  delta: number;
  /** R below it is well-specified. */
  threshold: number;
  seed: number;
  /** κ and L of theorem 1, where they are not to be what the domain has. */
  kappa?: number | undefined;
  lipschitz?: number | undefined;
}

/** An accuracy as sampled, and as it is. */
export interface MeasuredAccuracy {
  sampled: number;
  exact: number;
  standardError: number;
}

interface ClassifierPair {
  /** Uses the domain-general features alone. */
  general: MeasuredAccuracy;
  /** Uses all features. */
  specific: MeasuredAccuracy;
}

export interface ShiftReport extends ClassifierPair {
  name: string;
  domain: Domain;
  theoremOne: TheoremOne;
  theoremTwo: TheoremTwo;
  /** Definition 5 of the two trained classifiers, by their exact accuracies. */
  wellSpecified: boolean;
  /** Of the family's sampled accuracies. */
  line: LineFit;
  /** R of the family's exact accuracies; null where there is none. */
  exactR: number | null;
  /** The family's sampled accuracies. */
  points: { id: readonly number[]; ood: readonly number[] };
}

export interface SimulationReport {
  training: Domain;
  weights: { general: Vector; specific: Vector };
  id: ClassifierPair;
  shifts: ShiftReport[];
  agreement: ClosedFormAgreement;
}

/** Sampled less exact accuracies, in standard errors. */
interface ClosedFormAgreement {
  comparisons: number;
  largest: number;
  /** Share beyond 1.96, of which 5% are expected. */
  beyond: number;
}

export function simulate(options: SimulationOptions): SimulationReport {
  const { world, training, samples, testSamples, ridge, seed } = options;
  checkWorld(world);
  for (const { domain } of [{ domain: training }, ...options.tests])
    for (const { shift } of domain) checkShift(shift, world);

  const rows = drawSample(world, training, samples, randomStream(seed, "simulate/train").at(0));
  const general = fitLogistic(rows, { ridge, columns: world.meanGeneral.length });
  const specific = fitLogistic(rows, { ridge });
  const family = families
    .get(options.family)
    .train({ world, training, count: options.classifiers, samples, ridge, seed });

  const stream = randomStream(seed, "simulate/test");
  const idSample = drawSample(world, training, testSamples, stream.at(0));
  const idComponents = componentsOf(world, training);
  const idPoints = family.map((weights) => measure(weights, idSample, idComponents));
  const pair = (sample: Sample, components: readonly Component[]): ClassifierPair => ({
    general: measure(general, sample, components),
    specific: measure(specific, sample, components),
  });

  const shifts = options.tests.map(({ name, domain }, i): ShiftReport => {
    const sample = drawSample(world, domain, testSamples, stream.at(i + 1));
    const components = componentsOf(world, domain);
    const oodPoints = family.map((weights) => measure(weights, sample, components));
    const measured = pair(sample, components);
    return {
      name,
      domain,
      ...conditionsOf(options, domain, specific),
      ...measured,
      wellSpecified: measured.specific.exact < measured.general.exact,
      line: lineOf(idPoints, oodPoints, "sampled", options.threshold),
      exactR: lineOf(idPoints, oodPoints, "exact", options.threshold).r,
      points: {
        id: idPoints.map(({ sampled }) => sampled),
        ood: oodPoints.map(({ sampled }) => sampled),
      },
    };
  });
  const id = pair(idSample, idComponents);
  const agreement = agreementOf([id, ...shifts].flatMap((each) => [each.general, each.specific]));
  return { training, weights: { general, specific }, id, shifts, agreement };
}

/** The theorems for the weights of the domain-specific classifier and one test domain. */
export function conditionsOf(
  { world, delta, ...given }: Pick<SimulationOptions, "world" | "delta" | "kappa" | "lipschitz">,
  domain: Domain,
  weights: Vector,
): { theoremOne: TheoremOne; theoremTwo: TheoremTwo } {
  const features = world.meanGeneral.length;
  const spurious = spuriousMoments(world, domain);
  const single = domain.length === 1 ? domain[0]! : undefined;
  // A mixture is no map of the Gaussian that it comes from: its own parameter, as it is.
  const own =
    single === undefined
      ? { kappa: subGaussianParameter(world, domain), lipschitz: 1 }
      : {
          kappa: Math.sqrt(symmetricEigenvalues(world.covarianceSpurious)[0]!),
          lipschitz: spectralNorm(single.shift),
        };
  return {
    theoremOne: theoremOne({
      weights: weights.slice(features),
      shiftedMean: spurious.mean,
      kappa: given.kappa ?? own.kappa,
      lipschitz: given.lipschitz ?? own.lipschitz,
      delta,
    }),
    theoremTwo: theoremTwo({
      weightsGeneral: weights.slice(0, features),
      weightsSpurious: weights.slice(features),
      general: generalMoments(world),
      spurious,
    }),
  };
}

/** A classifier of the first features alone has weights of 0 for the others. */
function measure(weights: Vector, sample: Sample, components: readonly Component[]): MeasuredAccuracy {
  const all = Array.from({ length: sample.width }, (_, i) => weights[i] ?? 0);
  const exact = exactAccuracy(all, components);
  return {
    sampled: sampledAccuracy(weights, sample),
    exact,
    standardError: samplingError(exact, sample.count),
  };
}

function lineOf(
  id: readonly MeasuredAccuracy[],
  ood: readonly MeasuredAccuracy[],
  which: "sampled" | "exact",
  threshold: number,
): LineFit {
  const column = (points: readonly MeasuredAccuracy[]) => Float64Array.from(points, (point) => point[which]);
  return fitLine(column(id), column(ood), { threshold });
}

function agreementOf(all: readonly MeasuredAccuracy[]): ClosedFormAgreement {
  const deviations = all.map(({ sampled, exact, standardError }) =>
    standardError === 0 ? 0 : Math.abs(sampled - exact) / standardError,
  );
  return {
    comparisons: deviations.length,
    largest: Math.max(...deviations),
    beyond: deviations.filter((deviation) => deviation > 1.96).length / deviations.length,
  };
}
