/** A method and a baseline by seed: differences within each seed, by Student's t over them. */

import {
  equivalenceTest,
  mean,
  meanOverSeeds,
  type PairedMoments,
  ratioInterval,
  studentQuantile,
  studentTest,
} from "../../core/statistics/index.ts";
import {
  type Amplification,
  amplificationOf,
  type CueComparison,
  comparisonName,
  type Effect,
} from "./comparison.ts";

/** What one model reaches where some cues are uncommon, and what that is held against: accuracies. */
export interface CueStanding {
  cues: readonly string[];
  uncommon: number;
  common: number;
}

/** Two models of one seed, on the same draw of data. */
export interface SeedPair {
  method: readonly CueStanding[];
  baseline: readonly CueStanding[];
}

interface SeedOptions {
  margin: number;
  alpha: number;
}

/** In the order of the first pair; seeds that lack a cue are not in its mean. */
export function compareOverSeeds(pairs: readonly SeedPair[], options: SeedOptions): CueComparison[] {
  const names = new Map(
    pairs.flatMap(({ method }) => method.map((each) => [comparisonName(each), each.cues])),
  );
  return [...names].flatMap(([name, cues]) => {
    const both = pairs.flatMap(({ method, baseline }) => {
      const [ours, theirs] = [method, baseline].map((side) =>
        side.find((each) => comparisonName(each) === name),
      );
      return ours && theirs ? [{ ours, theirs }] : [];
    });
    return both.length === 0 ? [] : [compared(cues, both, options)];
  });
}

function compared(
  cues: readonly string[],
  pairs: readonly { ours: CueStanding; theirs: CueStanding }[],
  options: SeedOptions,
): CueComparison {
  const gapOf = ({ uncommon, common }: CueStanding) => uncommon - common;
  const [method, baseline] = [pairs.map(({ ours }) => gapOf(ours)), pairs.map(({ theirs }) => gapOf(theirs))];
  const effect = (of: (standing: CueStanding) => number) =>
    seedEffect(
      pairs.map(({ ours, theirs }) => of(ours) - of(theirs)),
      options,
    );
  const { low, high } = meanOverSeeds(baseline, { confidence: 1 - options.alpha });
  const baselineInterval = low === undefined || high === undefined ? null : { low, high };
  return {
    cues,
    method: mean(method),
    baseline: mean(baseline),
    baselineInterval,
    gap: effect(gapOf),
    uncommon: effect(({ uncommon }) => uncommon),
    common: effect(({ common }) => common),
    ratio:
      baselineInterval && -baselineInterval.high > options.margin ? ratioOf(method, baseline, options) : null,
    flips: null,
    seeds: pairs.length,
  };
}

function seedEffect(differences: readonly number[], { margin, alpha }: SeedOptions): Effect {
  const test = studentTest(differences, { confidence: 1 - alpha });
  const { mean: value, low, high, pValue, deviation, n } = test;
  const within = n > 1 ? equivalenceTest(differences, { margin, alpha }) : undefined;
  return {
    value,
    interval: low === undefined || high === undefined ? null : { low, high },
    pValue,
    equivalencePValue: within?.pValue,
    risePValue: within?.abovePValue,
    error: deviation === undefined ? undefined : deviation / Math.sqrt(n),
  };
}

/** Of the mean gaps, as papers print it; Fieller's interval over seeds. */
function ratioOf(
  method: readonly number[],
  baseline: readonly number[],
  { alpha }: SeedOptions,
): Amplification | null {
  const bounds = ratioInterval(seedMoments(method, baseline), {
    quantile: studentQuantile(1 - alpha / 2, method.length - 1),
  });
  if (bounds === null) return null;
  const value = amplificationOf(mean(method), mean(baseline))!;
  return { value, low: Math.max(0, bounds.low), high: Math.max(0, bounds.high) };
}

function seedMoments(first: readonly number[], second: readonly number[]): PairedMoments {
  const [a, b] = [mean(first), mean(second)];
  // Sums of products over n − 1 are the covariance of a seed, and over n more that of the means.
  const scale = 1 / ((first.length - 1) * first.length);
  const spread = (of: (i: number) => number) => scale * first.reduce((sum, _, i) => sum + of(i), 0);
  return {
    first: a,
    second: b,
    firstVariance: spread((i) => (first[i]! - a) ** 2),
    secondVariance: spread((i) => (second[i]! - b) ** 2),
    covariance: spread((i) => (first[i]! - a) * (second[i]! - b)),
  };
}
