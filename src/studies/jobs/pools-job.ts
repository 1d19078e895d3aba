/** Pools of small classifiers as a job, what is asked of them, and whether their accuracies lie on a line. */

import type { Chart } from "../../core/section.ts";
import type { AccuracyOver } from "../../pools/judged-table.ts";
import type { PoolSpec } from "../../pools/pool-spec.ts";
import type { JobHead } from "./job.ts";

/** Pools of datasets that belong together. */
export interface PoolsJob extends JobHead {
  kind: "pools";
  pools: readonly StudyPool[];
}

/** A dataset, how its environments are told apart, and the classifiers that are trained on it. */
export interface StudyPool {
  /** Of its folder; no two pools of a study have the same. */
  name: string;
  /** As the table calls it. */
  dataset: string;
  data: { name: string; settings: Readonly<Record<string, unknown>> };
  /** Everything else that `cuelab pool run` can be told. */
  spec: Omit<PoolSpec, "data">;
  /** Cheap ones, which are trained side by side. */
  classifiers: number;
  /** Networks, each trained by itself, and which, as `--networks` takes them; none: those that suit the images. */
  networks: { count: number; names: readonly string[] };
  /** The environment to leave out, or `all` where shifted splits are. */
  holdOut: string;
  /** Of ID and OOD accuracies alike: images unless said; classes need `class` among the pool's groups. */
  over?: AccuracyOver;
  splits: readonly StudySplit[];
}

/** What is asked of a pool: one environment, or some of its images, as out of distribution. */
export interface StudySplit {
  /** Tells it apart from all others of the study; figures have its name. */
  name: string;
  /** As the table calls it. */
  ood: string;
  /** Environment or split whose accuracy it is. */
  environment: string;
  /** Those images alone that have one of these sets of values, of the class and of the pool's groups. */
  images?: readonly Readonly<Record<string, string>>[];
  /** Whether what goes with the class in training does so no longer, or whether nothing is changed. */
  role: "shifted" | "control";
  /** Where the split stands in what the part varies, such as `p`. */
  at?: Readonly<Record<string, number>>;
}

export interface MeasuredPools {
  kind: "pools";
  job: PoolsJob;
  pools: readonly MeasuredPool[];
}

export interface MeasuredPool {
  pool: StudyPool;
  /** Classifiers that are there, of as many as the pool asks for. */
  classifiers: number;
  splits: readonly MeasuredSplit[];
}

/** A fit of OOD on ID accuracy; numbers are null where they are not defined. */
export interface MeasuredFit {
  points: number;
  /** Draws that the points are of: chunks of cheap classifiers, and networks. Intervals draw them anew as a whole. */
  draws: number;
  r: number | null;
  rLow: number | null;
  rHigh: number | null;
  slope: number | null;
  intercept: number | null;
  pValue: number | null;
  stdErr: number | null;
  verdict: "well-specified" | "misspecified" | "undecided";
}

export interface MeasuredSplit extends StudySplit {
  /** Every checkpoint is a point. */
  all: MeasuredFit;
  /** Those alone whose ID accuracy is above `learnedFrom`. */
  learned: MeasuredFit;
  /** Those of networks alone; null where the pool has none. */
  networks: MeasuredFit | null;
  /** Halfway between guessing and the best ID accuracy. */
  learnedFrom: number;
  /** ID accuracy of always answering the most frequent class. */
  guessing: number;
  bestId: number;
  /** Least and largest OOD accuracy. */
  oodRange: readonly [number, number];
  /** Kinds of what a single R hides. */
  warnings: readonly string[];
  /** Its points with the fit. */
  readonly draw: () => Chart;
}
