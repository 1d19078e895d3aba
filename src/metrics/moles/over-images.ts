/** Two models on the same images: how far another choice of images could have changed what became of the gaps. */

import { normalQuantile, type PairedMoments, ratioInterval } from "../../core/statistics/index.ts";
import type { Tally } from "../counts.ts";
import type { ClassWeights } from "../in-distribution.ts";
import { amplificationOf, type CueComparison } from "./comparison.ts";
import { type CueContrast, gapWeights, weightedAccuracyOf } from "./contrasts.ts";
import { flipsOf } from "./flips.ts";
import { type ImageOptions, pairedEffect } from "./paired-sum.ts";

export function compareOverImages(contrast: CueContrast, options: ImageOptions): CueComparison {
  const gap = gapWeights(contrast);
  const moments = momentsOf(gap);
  const [method, baseline] = [weightedAccuracyOf(gap, "method"), weightedAccuracyOf(gap, "baseline")];
  const quantile = normalQuantile(1 - options.alpha / 2);
  const half = quantile * Math.sqrt(moments.secondVariance);
  const baselineInterval = { low: moments.second - half, high: moments.second + half };
  const bounds = -baselineInterval.high > options.margin ? ratioInterval(moments, { quantile }) : null;
  return {
    cues: contrast.cues,
    method,
    baseline,
    baselineInterval,
    gap: pairedEffect(gap, options),
    uncommon: pairedEffect(contrast.uncommon, options),
    common: pairedEffect(contrast.common, options),
    ratio: bounds && {
      value: amplificationOf(method, baseline)!,
      low: Math.max(0, bounds.low),
      high: Math.max(0, bounds.high),
    },
    flips: flipsOf([contrast]),
    seeds: 1,
  };
}

/** Sums of weighted shares, images of different tallies being different ones. */
function momentsOf(weights: ClassWeights): PairedMoments {
  const sum = { first: 0, second: 0, firstVariance: 0, secondVariance: 0, covariance: 0 };
  for (const [tally, weight] of weights) {
    const { ours, theirs, both, n } = adjustedShares(tally);
    sum.first += weight * ours;
    sum.second += weight * theirs;
    sum.firstVariance += (weight ** 2 * ours * (1 - ours)) / n;
    sum.secondVariance += (weight ** 2 * theirs * (1 - theirs)) / n;
    sum.covariance += (weight ** 2 * (both - ours * theirs)) / n;
  }
  return sum;
}

/** With one discordant image more on each side, as Bonett and Price have it: no variance is 0. */
function adjustedShares({ count, correct, baselineCorrect, bothCorrect }: Tally) {
  const n = count + 2;
  return { ours: (correct + 1) / n, theirs: (baselineCorrect! + 1) / n, both: bothCorrect! / n, n };
}
