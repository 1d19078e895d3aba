/**
 * What DiagViB-6 makes of the accuracies of pairs: FAAvg and FAMin (Eulig et al. 2021, equations 1 and 2) and the gain of CHGO (Table 2),
 * sample by sample, and their means with standard errors in the paper's form and in Student's.
 */

import { CuelabError } from "../core/errors.ts";
import { mean, meanOverSeeds, standardDeviation } from "../core/statistics/index.ts";

/** Mean per-class accuracy on the cells that break the pattern, of one predicted factor. */
export interface PairAccuracy {
  /** The factor that goes with it in training. */
  cue: string;
  /** Number of the dataset sample. */
  sample: number;
  accuracy: number;
}

/** Of one dataset sample, over the cues that every sample has. */
export interface SampleAggregate {
  sample: number;
  average: number;
  /** The paper takes the minimum within a sample: the mean of minima lies below the minimum of means. */
  minimum: number;
}

/** Samples that lack a cue of `cues` are left out: over other cues neither mean nor minimum is the same quantity. */
export function factorAggregates(pairs: readonly PairAccuracy[], cues: readonly string[]): SampleAggregate[] {
  checkOnce(pairs);
  return samplesOf(pairs).flatMap((sample) => {
    const accuracies = cues.flatMap((cue) => accuracyAt(pairs, cue, sample) ?? []);
    if (cues.length === 0 || accuracies.length < cues.length) return [];
    return [{ sample, average: mean(accuracies), minimum: Math.min(...accuracies) }];
  });
}

/** Accuracy of the coupled class in CHGO less the accuracy of the same pair and sample in ZGO. */
export function hybridGains(coupled: readonly PairAccuracy[], zero: readonly PairAccuracy[]): PairAccuracy[] {
  checkOnce(coupled);
  checkOnce(zero);
  return coupled.flatMap(({ cue, sample, accuracy }) => {
    const before = accuracyAt(zero, cue, sample);
    return before === undefined ? [] : [{ cue, sample, accuracy: accuracy - before }];
  });
}

export interface SampleMean {
  mean: number;
  n: number;
  /** Deviation over n, by √n: what the paper prints. */
  populationError: number;
  /** Student's 95% interval, from the deviation over n − 1; undefined for one sample. */
  low: number | undefined;
  high: number | undefined;
}

/** Of one value a dataset sample; undefined without any. */
export function meanOverSamples(values: readonly number[]): SampleMean | undefined {
  if (values.length === 0) return undefined;
  const { mean: centre, low, high, n } = meanOverSeeds(values);
  const populationError = standardDeviation(values, { population: true }) / Math.sqrt(n);
  return { mean: centre, n, populationError, low, high };
}

function samplesOf(pairs: readonly PairAccuracy[]): number[] {
  return [...new Set(pairs.map(({ sample }) => sample))].sort((a, b) => a - b);
}

function accuracyAt(pairs: readonly PairAccuracy[], cue: string, sample: number): number | undefined {
  return pairs.find((pair) => pair.cue === cue && pair.sample === sample)?.accuracy;
}

function checkOnce(pairs: readonly PairAccuracy[]): void {
  const keys = pairs.map(({ cue, sample }) => `cue ${cue}, sample ${sample}`);
  const again = keys.find((key, i) => keys.indexOf(key) < i);
  if (again === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: "a pair of factors has two accuracies",
    where: again,
    expected: "one for each cue and dataset sample",
  });
}
