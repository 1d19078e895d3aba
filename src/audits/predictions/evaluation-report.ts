/** What `eval` finds, as it is printed, drawn and written as JSON: plain fractions, with intervals and remarks beside them. */

import type { SplitShift } from "../../core/shifted-splits.ts";
import type { CalibrationBin } from "../../metrics/counts.ts";
import type { Flips, JudgedComparison } from "../../metrics/moles/index.ts";
import type { CueRule } from "./majority-rules.ts";

export interface EvaluationReport {
  files: readonly string[];
  baselines: readonly string[];
  /** Null where the table has no splits. */
  split: string | null;
  /** Rows of each split in the first table. */
  splits: Readonly<Record<string, number>>;
  /** Whether the evaluated split is out of distribution, and why; null where nothing tells. */
  shift: SplitShift | null;
  /** Evaluated rows of all files. */
  n: number;
  /** Of several runs: all have the same images, so that intervals over seeds say nothing of others. */
  sameImages?: true;
  classes: readonly string[];
  /** Where the training counts come from; null where nothing is known. */
  training: string | null;
  accuracy: { samples: number | null; meanPerGroup: number | null; trainWeighted: number | null };
  /** What always naming one class would reach, the most frequent one of the rows (of the first file). */
  guessing: { class: string; accuracy: number };
  /** For several files the mean of each one's worst group, with the group that is it most often. */
  worstGroup: { name: string | null; accuracy: number | null; n: number };
  cues: Readonly<Record<string, CueReport>>;
  /** What is lost where cues are uncommon; null where it is not known how common they are. */
  gaps: GapsReport | null;
  grouping: GroupingReport;
  groups: readonly GroupReport[];
  accAlpha: readonly { alpha: number; value: number | null }[];
  headTail: readonly HeadTailReport[];
  calibration: { error: number | null; bins: readonly CalibrationBin[] } | null;
  /** Differences to the baseline, also called gaps where it is about the same images unchanged. */
  improvement: {
    samples: number | null;
    meanPerGroup: number | null;
    classes: Readonly<Record<string, number | null>>;
  } | null;
  /** What became of each cue's gap beside the baseline, where there is one and cues are known. */
  moles?: MolesReport;
  /** Of metrics without a place of their own above, such as those of plugins, where there are any. */
  own?: readonly OwnMetricReport[];
  /** By the path of the number that it is about, such as `accuracy.samples`. */
  intervals: Readonly<Record<string, IntervalReport>>;
  /** Metrics that could not be computed, and what to give. */
  missing: Readonly<Record<string, string>>;
  remarks: readonly string[];
}

export interface CueReport {
  majority: number | null;
  minority: number | null;
  mmd: number | null;
  /** Images of all files. */
  counts: { majority: number; minority: number; unknown: number };
  rule: CueRule["origin"];
  /** Which value goes with each class, and why it is that one. */
  values: CueRule["classes"];
}

/** What a metric says that has no place of its own. */
interface OwnMetricReport {
  name: string;
  title: string;
  scores: readonly { of: string | null; value: number | null; n: number }[];
}

export interface GapsReport {
  /** I.D. accuracy. */
  inDistribution: number | null;
  cells: readonly GapReport[];
}

interface GapReport {
  /** The cues that are uncommon; all others are common. */
  uncommon: readonly string[];
  /** Share of the training images. */
  share: number;
  n: number;
  accuracy: number | null;
  /** Less I.D. accuracy; null where there are no images, and for the cell in which all cues are common. */
  gap: number | null;
}

interface MolesReport extends JudgedComparison {
  /** In one sentence. */
  sentence: string;
  /** Images of each group on which the two models differ, of all files. */
  groupFlips: readonly (Flips & { group: string })[];
}

export interface GroupingReport {
  attributes: readonly string[];
  byClass: boolean;
  overlapping: boolean;
  /** The class with one attribute at a time, where all together would be more groups than images. */
  oneByOne?: true;
  nominal: number;
  occupied: number;
  /** Groups of one image. */
  single: number;
}

export interface GroupReport {
  name: string;
  class: string | null;
  values: Readonly<Record<string, string>>;
  n: number;
  /** Null where the group is empty. */
  accuracy: number | null;
  /** 95%: over images for one table, over seeds for several. */
  low: number | null;
  high: number | null;
  /** Over seeds; null for one table. */
  standardError: number | null;
  /** Training images; null where nothing is known of training. */
  train: number | null;
  /** Improvement over the baseline, with its interval; null without one. */
  iosm: number | null;
  iosmLow: number | null;
  iosmHigh: number | null;
}

interface HeadTailReport {
  beta: number;
  head: number | null;
  tail: number | null;
  mean: number | null;
  headCount: number;
  tailCount: number;
}

/** 95%: from the one table's counts, or Student's t over tables of several seeds. */
export interface IntervalReport {
  /** What it tells of: another choice of images, or another seed. */
  over: "images" | "seeds";
  /** Seeds that have the number; 1 for one table. */
  seeds: number;
  /** Of Student's t, seeds less one; null for one table. */
  degreesOfFreedom: number | null;
  low: number | null;
  high: number | null;
  /** Of the mean over seeds, s/√n. */
  standardError: number | null;
  values: readonly (number | null)[];
}
