/**
 * Theorem 3's picture: of shifts M drawn at random, how many are well-specified and within ε of the line, for falling
 * ε; and what the correlation over a family of classifiers tells of them. All by formula, nothing is sampled but M.
 */

import { fitLine } from "../audits/line/fit.ts";
import { randomStream } from "../core/random.ts";
import { type Interval, normalCdf, wilsonInterval } from "../core/statistics/index.ts";
import { signalToNoise } from "./accuracy.ts";
import { bestWeights } from "./best-weights.ts";
import { checkWorld, componentsOf, shifted, type World } from "./domain.ts";
import { families } from "./families.ts";
import { length, scaledIdentity, symmetricEigenvalues } from "./matrix.ts";
import { shiftKinds } from "./shifts.ts";
import { conditionsOf } from "./simulate.ts";

export interface ShareOptions {
  world: World;
  /** How many shifts to draw, and how. */
  count: number;
  draw: string;
  size: number;
  /** Slope of the line through the origin of the probits. */
  slope: number;
  epsilons: readonly number[];
  delta: number;
  family: string;
  classifiers: number;
  samples: number;
  ridge: number;
  threshold: number;
  seed: number;
}

/** Of `of` shifts, with Wilson's 95% interval; no share of none. */
export interface Share {
  count: number;
  of: number;
  share: number | null;
  interval: Interval | null;
}

export interface EpsilonRow {
  epsilon: number;
  /** Within ε of the line. */
  onLine: Share;
  /** W_ε of equation 12: on the line, and the condition of theorem 1 holds. */
  byTheoremOne: Share;
  /** On the line, and well-specified by definition 5. */
  wellSpecified: Share;
  /** Of those on the line, the well-specified: what being on the line tells. */
  amongOnLine: Share;
}

interface CorrelationRow {
  from: number;
  to: number;
  shifts: number;
  wellSpecified: Share;
}

export interface ShareReport {
  shifts: number;
  /** Of all shifts, whether on the line or not. */
  wellSpecified: Share;
  byTheoremOne: Share;
  /** The smallest δ for which theorem 1's condition holds for any shift at all. */
  leastDelta: number;
  /** |Φ⁻¹(OOD) − a Φ⁻¹(ID)| of the best classifier alone, as equation 12 has it. */
  best: EpsilonRow[];
  /** The largest over the family, as definition 6 asks for every classifier. */
  family: EpsilonRow[];
  /** The share of well-specified shifts by R over the family. */
  byCorrelation: CorrelationRow[];
  /** Of shifts with R below the threshold, and of the others. */
  verdict: { below: Share; above: Share };
}

interface DrawnShift {
  wellSpecified: boolean;
  byTheoremOne: boolean;
  best: number;
  family: number;
  r: number | null;
}

const correlationEdges = [-1, -0.9, -0.6, -0.3, 0, 0.3, 0.6, 0.9, 1];

export function wellSpecifiedShare(options: ShareOptions): ShareReport {
  const { world, epsilons, threshold } = options;
  checkWorld(world);
  const drawn = drawShifts(options);
  const shareOf = (some: readonly DrawnShift[], test: (shift: DrawnShift) => boolean) =>
    share(some.filter(test).length, some.length);
  const isWell = (shift: DrawnShift) => shift.wellSpecified;
  const rows = (which: "best" | "family"): EpsilonRow[] =>
    epsilons.map((epsilon) => {
      const onLine = drawn.filter((shift) => shift[which] <= epsilon);
      return {
        epsilon,
        onLine: share(onLine.length, drawn.length),
        byTheoremOne: share(onLine.filter((shift) => shift.byTheoremOne).length, drawn.length),
        wellSpecified: share(onLine.filter(isWell).length, drawn.length),
        amongOnLine: shareOf(onLine, isWell),
      };
    });
  const correlated = drawn.flatMap((shift) => (shift.r === null ? [] : [{ ...shift, r: shift.r }]));
  return {
    shifts: drawn.length,
    wellSpecified: shareOf(drawn, isWell),
    byTheoremOne: shareOf(drawn, (shift) => shift.byTheoremOne),
    leastDelta: leastDelta(world),
    best: rows("best"),
    family: rows("family"),
    byCorrelation: correlationEdges.slice(1).map((to, i) => {
      const from = correlationEdges[i]!;
      const some = correlated.filter(({ r }) => r >= from && (r < to || to === 1));
      return { from, to, shifts: some.length, wellSpecified: shareOf(some, isWell) };
    }),
    verdict: {
      below: shareOf(
        correlated.filter(({ r }) => r < threshold),
        isWell,
      ),
      above: shareOf(
        correlated.filter(({ r }) => r >= threshold),
        isWell,
      ),
    },
  };
}

/**
 * −w·Mμ ≤ ‖w‖‖M‖‖μ‖, so theorem 1's condition can hold for a linear shift of a Gaussian only where ‖μ_spu‖ is above
 * κ √(2 log(1/δ)), whatever the classifier.
 */
function leastDelta({ meanSpurious, covarianceSpurious }: World): number {
  const variance = symmetricEigenvalues(covarianceSpurious)[0]!;
  return Math.exp(-(length(meanSpurious) ** 2) / (2 * variance));
}

function drawShifts(options: ShareOptions): DrawnShift[] {
  const { world, slope, delta, samples, ridge, seed, threshold } = options;
  const dimensions = world.meanSpurious.length;
  const { general, spurious } = bestWeights(world);
  const best = [...general, ...spurious];
  const bestGeneral = [...general, ...spurious.map(() => 0)];
  const training = shifted(scaledIdentity(dimensions));
  const family = families
    .get(options.family)
    .train({ world, training, count: options.classifiers, samples, ridge, seed });
  const [id] = componentsOf(world, training);
  const idBest = signalToNoise(best, id!);
  const idFamily = family.map((weights) => signalToNoise(weights, id!));
  const idAccuracies = Float64Array.from(idFamily, normalCdf);
  const shifts = shiftKinds.get(options.draw).draw({
    count: options.count,
    dimensions,
    size: options.size,
    stream: randomStream(seed, "simulate/shifts"),
  });
  return shifts.map(({ shift }) => {
    const domain = shifted(shift);
    const [ood] = componentsOf(world, domain);
    const oodBest = signalToNoise(best, ood!);
    const oodFamily = family.map((weights) => signalToNoise(weights, ood!));
    const { theoremOne } = conditionsOf({ world, delta }, domain, best);
    return {
      wellSpecified: oodBest < signalToNoise(bestGeneral, ood!),
      byTheoremOne: theoremOne.holds,
      best: Math.abs(oodBest - slope * idBest),
      family: Math.max(...oodFamily.map((probit, i) => Math.abs(probit - slope * idFamily[i]!))),
      r: fitLine(idAccuracies, Float64Array.from(oodFamily, normalCdf), { threshold }).r,
    };
  });
}

function share(count: number, of: number): Share {
  return of === 0
    ? { count, of, share: null, interval: null }
    : { count, of, share: count / of, interval: wilsonInterval(count, of) };
}
