/**
 * The line of accuracy on the line: out-of-distribution (OOD) accuracy regressed on in-distribution (ID) accuracy, and
 * whether the correlation is weak enough for the benchmark to reveal shortcuts (Salaudeen et al. 2025, section 4).
 */

import {
  defaultClip,
  paperScale,
  type Scale,
  type Transform,
  transformed,
} from "../../core/accuracy-scale.ts";
import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { fisherInterval } from "../../core/statistics/correlation.ts";
import { linearRegression, weightedRegression } from "../../core/statistics/index.ts";
import { correlationInterval, pointSums } from "./cluster-bootstrap.ts";
import { correlationBootstrap } from "./resample.ts";

export interface FitOptions {
  /** Probit unless told. */
  transform?: Transform | undefined;
  /** 0.01 and 0.99 unless told; nothing is clipped on the linear scale. */
  clip?: readonly [low: number, high: number] | undefined;
  /** R below it: well-specified; the paper's 0.3 unless told. */
  threshold?: number | undefined;
  /** Of the interval of R; 0.95 unless told. */
  confidence?: number | undefined;
  /** Fisher's z unless told; `bootstrap` draws points anew and takes the percentiles. */
  interval?: "fisher" | "bootstrap" | undefined;
  /** For the bootstrap: 1000 and 0 unless told. */
  resamples?: number | undefined;
  seed?: number | undefined;
  /** One a point, relative. */
  weights?: Float64Array | undefined;
  /** Of each point a code; points with equal codes belong together, and the interval draws them together. */
  clusters?: Uint32Array | undefined;
}

/** `undecided`: the interval of R holds the threshold, or there is no R. */
export type Verdict = "well-specified" | "misspecified" | "undecided";

/** Numbers are null where they are not defined, and `undefinedBecause` says why. */
export interface LineFit {
  n: number;
  /** How many clusters the points are of, where they are; the interval is then of clusters drawn anew. */
  clusters?: number;
  /** Pearson's, on the scale of the transform. */
  r: number | null;
  rLow: number | null;
  rHigh: number | null;
  slope: number | null;
  intercept: number | null;
  /** Two-sided, of slope 0, by Student's t. */
  pValue: number | null;
  /** Of the slope. */
  stdErr: number | null;
  verdict: Verdict;
  undefinedBecause?: string;
}

export const defaultThreshold = 0.3;

/** From two columns of accuracies, one pair a model. */
export function fitLine(id: Float64Array, ood: Float64Array, options: FitOptions = {}): LineFit {
  if (id.length !== ood.length) {
    throw new CuelabError({
      kind: "input",
      what: "ID and OOD accuracies differ in number",
      expected: "one of each for every model",
      got: `${id.length} and ${ood.length}`,
    });
  }
  const scale = lineScale(options);
  return fitScaled(transformed(id, scale, "ID accuracy"), transformed(ood, scale, "OOD accuracy"), options);
}

export function lineScale({
  transform = paperScale.transform,
  clip,
}: Pick<FitOptions, "transform" | "clip">): Scale {
  return { transform, clip: clip ?? defaultClip(transform) };
}

/** The same from columns that are on their scale already. */
export function fitScaled(x: Float64Array, y: Float64Array, options: FitOptions = {}): LineFit {
  const { threshold = defaultThreshold, confidence = 0.95, weights } = options;
  if (!(threshold > -1 && threshold < 1)) {
    throw new CuelabError({
      kind: "usage",
      what: "no such threshold of R",
      expected: "a number between -1 and 1, such as 0.3",
      got: String(threshold),
    });
  }
  const n = weights === undefined ? x.length : countPositive(weights);
  const reason = whyUndefined(x, y, weights, n);
  if (reason !== undefined) return { n, ...nothing, undefinedBecause: reason };
  const fit = weights === undefined ? linearRegression(x, y) : weightedRegression(x, y, weights);
  const size = "effectiveSize" in fit ? fit.effectiveSize : n;
  const drawing = () => ({
    random: randomStream(options.seed ?? 0, "line/interval").at(0),
    resamples: options.resamples ?? 1000,
    confidence,
  });
  const sums = options.clusters && pointSums(x, y, options.clusters, weights);
  const { low, high } =
    sums !== undefined
      ? correlationInterval(sums, drawing())
      : options.interval === "bootstrap"
        ? correlationBootstrap(x, y, { ...drawing(), weights })
        : fisherInterval(fit.r, size, confidence);
  return {
    n,
    ...(sums && { clusters: sums.count }),
    r: fit.r,
    rLow: low,
    rHigh: high,
    slope: fit.slope,
    intercept: fit.intercept,
    pValue: fit.pValue,
    stdErr: fit.slopeStandardError,
    verdict: high < threshold ? "well-specified" : low > threshold ? "misspecified" : "undecided",
  };
}

const nothing = {
  r: null,
  rLow: null,
  rHigh: null,
  slope: null,
  intercept: null,
  pValue: null,
  stdErr: null,
  verdict: "undecided",
} as const;

function whyUndefined(
  x: Float64Array,
  y: Float64Array,
  weights: Float64Array | undefined,
  n: number,
): string | undefined {
  if (n < 3) return n === 0 ? "no points" : `${n === 1 ? "one point" : "two points"}; a fit needs three`;
  if (isConstant(x, weights)) return "all ID accuracies are equal (after clipping)";
  if (isConstant(y, weights)) return "all OOD accuracies are equal (after clipping)";
  // A line goes through any two points, however often each occurs.
  if (onlyTwo(x, y, weights)) return "two distinct points (after clipping); a fit needs three";
  return undefined;
}

function isConstant(values: Float64Array, weights: Float64Array | undefined): boolean {
  let first: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (weights !== undefined && weights[i] === 0) continue;
    first ??= values[i]!;
    if (values[i] !== first) return false;
  }
  return true;
}

/** Of points that are not all the same: whether each is the first one or one other. */
function onlyTwo(x: Float64Array, y: Float64Array, weights: Float64Array | undefined): boolean {
  const seen: number[] = [];
  for (let i = 0; i < x.length; i++) {
    if (weights !== undefined && weights[i] === 0) continue;
    if (seen.some((at) => x[at] === x[i] && y[at] === y[i])) continue;
    seen.push(i);
    if (seen.length > 2) return false;
  }
  return true;
}

function countPositive(weights: Float64Array): number {
  let n = 0;
  for (const weight of weights) if (weight > 0) n++;
  return n;
}
