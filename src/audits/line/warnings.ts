/** What a single R hides: relations that are not one line, each with the numbers that speak for it. */

import { fromScale, type Scale, toScale } from "../../core/accuracy-scale.ts";
import { fewestClusters } from "../../core/statistics/index.ts";
import { fixedText, percentText } from "../../core/words.ts";
import { type FitOptions, fitScaled, type LineFit } from "./fit.ts";
import { repeatedPoints } from "./repeated-points.ts";
import { segmentedFit } from "./segments.ts";
import { twoHumps } from "./two-humps.ts";
import { withinGroups } from "./within-groups.ts";

/** What each is called in a table, and what that means. */
export const warningWords = {
  regimes: "the slope changes along the way",
  "two-lines": "points lie on two lines",
  clusters: "points lie in two heaps",
  groups: "within subgroups the relation is another one",
  floor: "many accuracies are as low as the scale goes",
  ceiling: "many accuracies are as high as the scale goes",
  "no-transfer": "OOD accuracy stays the same whatever the ID accuracy",
  "repeated-points": "many points are the same",
  "few-clusters": "too few draws for an interval",
} as const;

type WarningKind = keyof typeof warningWords;

export interface LineWarning {
  kind: WarningKind;
  message: string;
  evidence: Readonly<Record<string, number | string | null>>;
}

export interface Points {
  /** On the scale. */
  x: Float64Array;
  y: Float64Array;
  /** Subgroups that are fitted apart as well, by their codes. */
  groups?: { name: string; codes: Uint32Array } | undefined;
}

/** Kass and Raftery 1995 call a larger difference of criteria very strong evidence. */
const strongBic = 10;
/** Smaller gains are real in large tables but change no conclusion. */
const leastExplained = 0.05;
/** R within groups is another story where it differs by more than this. */
const otherStory = 0.2;
const atLimits = 0.05;
const fewestPoints = 30;

export function warningsOf(
  points: Points,
  fit: LineFit,
  scale: Scale,
  options: FitOptions,
  classes?: number,
): LineWarning[] {
  const found = [...limits(points, scale), ...repeated(points, fit)];
  if (fit.r === null) return found;
  found.push(...fewClusters(fit), ...noTransfer(points, fit, scale, classes), ...groupsApart(points, fit));
  if (points.x.length < fewestPoints) return found;
  return [
    ...regimes(points, scale, options),
    ...twoLines(points, fit),
    ...heaps(points, fit, scale),
    ...found,
  ];
}

/** As in Camelyon: one line up to an accuracy, another one beyond. */
function regimes({ x, y }: Points, scale: Scale, options: FitOptions): LineWarning[] {
  const segments = segmentedFit(x, y);
  if (segments === undefined || segments.deltaBic <= strongBic || segments.explained < leastExplained)
    return [];
  const { breakAt, heightAtBreak, slopeBelow, slopeAbove, deltaBic, f, explained } = segments;
  const side = (wanted: boolean) => {
    const keep = (_: number, i: number) => x[i]! < breakAt === wanted;
    const weights = options.weights?.filter(keep);
    const clusters = options.clusters?.filter(keep);
    return fitScaled(x.filter(keep), y.filter(keep), { ...options, weights, clusters, interval: "fisher" });
  };
  const [below, above] = [side(true), side(false)];
  const at = percentText(fromScale(breakAt, scale.transform));
  return [
    {
      kind: "regimes",
      message: `the line breaks at an ID accuracy of ${at}: R ${shown(below.r)} below (${below.verdict}), ${shown(above.r)} above (${above.verdict}); judge each by itself`,
      evidence: {
        breakAt: fromScale(breakAt, scale.transform),
        oodAtBreak: fromScale(heightAtBreak, scale.transform),
        slopeBelow,
        slopeAbove,
        nBelow: below.n,
        nAbove: above.n,
        rBelow: below.r,
        rAbove: above.r,
        verdictBelow: below.verdict,
        verdictAbove: above.verdict,
        deltaBic,
        f,
        explained,
      },
    },
  ];
}

/** Two parallel lines: the distances from one line come in two heaps. */
function twoLines({ x, y }: Points, { slope, intercept }: LineFit): LineWarning[] {
  const residuals = y.map((value, i) => value - slope! * x[i]! - intercept!);
  const humps = twoHumps(residuals);
  if (humps === undefined || !parted(humps)) return [];
  const { lower, upper, deltaBic, separation, valley } = humps;
  return [
    {
      kind: "two-lines",
      message: `points lie along two lines, ${(upper.mean - lower.mean).toFixed(2)} apart on the fit's scale (${percentText(lower.share)} and ${percentText(upper.share)} of them); find what tells them apart and fit each (--by)`,
      evidence: {
        distance: upper.mean - lower.mean,
        shareLower: lower.share,
        shareUpper: upper.share,
        separation,
        valley,
        deltaBic,
      },
    },
  ];
}

/** Two clouds can make an R that neither has. */
function heaps({ x, y }: Points, fit: LineFit, scale: Scale): LineWarning[] {
  const humps = twoHumps(x);
  if (humps === undefined || !parted(humps)) return [];
  const { lower, upper, deltaBic, separation, valley, border } = humps;
  const within = withinGroups(
    x,
    y,
    Uint32Array.from(x, (value) => (value < border ? 0 : 1)),
  );
  if (within === undefined || !differs(within, fit.r!)) return [];
  const at = [lower, upper].map(({ mean }) => percentText(fromScale(mean, scale.transform)));
  return [
    {
      kind: "clusters",
      message: `points come in two clusters, around ID accuracies of ${at.join(" and ")}; within them R is ${shown(within.r)}, not ${shown(fit.r)}`,
      evidence: {
        rWithin: within.r,
        rWithinLow: within.low,
        rWithinHigh: within.high,
        border: fromScale(border, scale.transform),
        shareLower: lower.share,
        shareUpper: upper.share,
        separation,
        valley,
        deltaBic,
      },
    },
  ];
}

function groupsApart({ x, y, groups }: Points, fit: LineFit): LineWarning[] {
  if (groups === undefined) return [];
  const within = withinGroups(x, y, groups.codes);
  if (within === undefined || !differs(within, fit.r!)) return [];
  return [
    {
      kind: "groups",
      message: `within values of ${groups.name} R is ${shown(within.r)}, over all of them ${shown(fit.r)}: the groups lie apart, so read the fits of each`,
      evidence: {
        rWithin: within.r,
        rWithinLow: within.low,
        rWithinHigh: within.high,
        groups: within.groups,
      },
    },
  ];
}

/** Accuracies at the limits are pressed onto one value, which bends or flattens the line. */
function limits({ x, y }: Points, scale: Scale): LineWarning[] {
  const ends = [
    { kind: "floor", limit: scale.clip[0], sign: -1, side: "below" },
    { kind: "ceiling", limit: scale.clip[1], sign: 1, side: "above" },
  ] as const;
  return ends.flatMap(({ kind, limit, sign, side }) => {
    const end = toScale(limit, scale);
    const share = (values: Float64Array) => {
      let count = 0;
      for (const value of values) if (sign * (value - end) >= 0) count++;
      return count / Math.max(1, values.length);
    };
    const [idShare, oodShare] = [share(x), share(y)];
    if (idShare < atLimits && oodShare < atLimits) return [];
    return [
      {
        kind,
        message: `${percentText(idShare)} of the ID and ${percentText(oodShare)} of the OOD accuracies are at or ${side} ${percentText(limit)}, the ${kind} of the scale`,
        evidence: { limit, idShare, oodShare },
      },
    ];
  });
}

/** Teney et al. 2024: OOD accuracy stays where it is, whatever the ID accuracy. */
function noTransfer({ x, y }: Points, fit: LineFit, { transform }: Scale, classes?: number): LineWarning[] {
  const [xSpread, ySpread] = [spread(x), spread(y)];
  if (x.length < 10 || Math.abs(fit.slope!) >= 0.1 || ySpread >= 0.2 * xSpread) return [];
  const [low, high] = middle(y).map((value) => fromScale(value, transform));
  const level = fromScale(middleOf(y), transform);
  const chance = classes === undefined ? null : 1 / classes;
  const beside =
    chance === null
      ? "give --classes to compare it with chance"
      : Math.abs(level - chance) < 0.05
        ? `which is about chance (${percentText(chance)})`
        : `while chance is ${percentText(chance)}`;
  return [
    {
      kind: "no-transfer",
      message: `no transfer: OOD accuracy stays between ${percentText(low!)} and ${percentText(high!)} for nine in ten models whatever the ID accuracy, ${beside}; R says little here`,
      evidence: { slope: fit.slope, idSpread: xSpread, oodSpread: ySpread, oodMedian: level, chance },
    },
  ];
}

function repeated({ x, y }: Points, { clusters }: LineFit): LineWarning[] {
  const repeats = repeatedPoints(x, y);
  const share = repeats / Math.max(1, x.length);
  if (share < 0.2 || x.length < fewestPoints) return [];
  // Points of one cluster are drawn together, and have no p-value.
  const harm =
    clusters === undefined
      ? "if they are the same models counted twice, the interval and the p-value are too good"
      : "if they are the same models counted twice, in more than one cluster, the interval is too good";
  return [
    {
      kind: "repeated-points",
      message: `${percentText(share)} of the points repeat another one exactly; ${harm}`,
      evidence: { repeated: repeats, distinct: x.length - repeats },
    },
  ];
}

function fewClusters({ clusters = fewestClusters }: LineFit): LineWarning[] {
  if (clusters >= fewestClusters) return [];
  return [
    {
      kind: "few-clusters",
      message: `points are of ${clusters} ${clusters === 1 ? "cluster" : "clusters"}, and an interval needs ${fewestClusters}: nothing is known of how far another draw would differ, so R is undecided`,
      evidence: { clusters, fewest: fewestClusters },
    },
  ];
}

function parted(humps: NonNullable<ReturnType<typeof twoHumps>>): boolean {
  const smaller = Math.min(humps.lower.share, humps.upper.share);
  return humps.deltaBic > strongBic && humps.separation > 2 && humps.valley < 1 / 3 && smaller >= 0.05;
}

function differs({ r, low, high }: { r: number; low: number; high: number }, pooled: number): boolean {
  return Math.abs(r - pooled) > otherStory && !(low <= pooled && pooled <= high);
}

function spread(values: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const value of values) sum += value;
  const mean = sum / values.length;
  for (const value of values) squares += (value - mean) ** 2;
  return Math.sqrt(squares / values.length);
}

/** The 5th and the 95th percentile. */
function middle(values: Float64Array): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const at = (p: number) => sorted[Math.round(p * (sorted.length - 1))]!;
  return [at(0.05), at(0.95)];
}

function middleOf(values: Float64Array): number {
  return Float64Array.from(values).sort()[Math.floor(values.length / 2)]!;
}

function shown(r: number | null): string {
  return r === null ? "undefined" : fixedText(r, 2).replace("-", "−");
}
