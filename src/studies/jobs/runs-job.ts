/** Training runs as a job: rows of tables and points of figures, each with the run behind it, and what is measured of them. */

import type { RunPicture } from "../../runs/run-pictures.ts";
import type { Sweep } from "../../sweeps/sweep-file.ts";
import type { Selection } from "../../training/selection.ts";
import type { SeedPurpose } from "../study.ts";
import type { JobHead } from "./job.ts";

/** Runs that answer one question. Jobs may share runs: equal ones are made once. */
export interface RunsJob extends JobHead {
  kind: "runs";
  entries: readonly StudyEntry[];
  seeds: readonly number[];
  /** What the seeds are for; reporting unless said. Those of a search are for tuning. */
  purpose?: SeedPurpose;
  /** A search before the runs, as sweeps have it. */
  search?: Sweep["search"];
  /** Rules by which one could choose among the runs; each run is scored by each. */
  scoredBy?: readonly Selection[];
  /** Attributes whose majority and minority are told apart. */
  cues: readonly string[];
}

export interface StudyEntry {
  case: StudyCase;
  /** What `cuelab sweep run` takes as one of its runs, without the label. */
  run: Readonly<Record<string, unknown>>;
  /**
   * Runs that stand behind it begin with it: what it leaves is kept for them, also where its accuracies are measured at the end of
   * an epoch (`measureSteps`), as if it had ended there.
   */
  isBegunWith?: true;
}

/** What a row of a table or a point of a figure stands for. */
export interface StudyCase {
  /** As the paper calls it. */
  method: string;
  /** Cues whose labels the method is given. */
  explicit: readonly string[];
  /** Its last layer is solved, not trained: there is nothing that could still rise. */
  solved?: true;
  /** What it is about, in words, such as the factor that is predicted. */
  about?: Readonly<Record<string, string>>;
  /** Values of what the job varies, such as `pBias` or `rate`. */
  at?: Readonly<Record<string, number>>;
  /** Attributes that make groups with the class; the unbiased accuracy is the mean over them, and over such lists. */
  groupings: readonly (readonly string[])[];
  /** Attributes whose values make groups of their own, all classes together. */
  by?: readonly string[];
  /** By which epochs are kept, where several are: the run's own rule first, then `alsoSelect`. */
  rules?: readonly Selection[];
}

export interface MeasuredRuns {
  kind: "runs";
  job: RunsJob;
  cases: readonly MeasuredCase[];
}

export interface MeasuredCase extends StudyCase {
  /** One a seed. */
  runs: readonly MeasuredRun[];
  /** Why others ended without a result, such as a loss that exploded. */
  failures: readonly string[];
  /** What a search chose for it. */
  chosen: Readonly<Record<string, unknown>>;
}

export interface MeasuredRun extends Measures {
  id: string;
  seed: number;
  /** By each of the job's rules, on the validation images; null where a rule cannot weigh them. */
  scores: readonly (number | null)[];
  /** The same of the epochs that further rules have kept (`alsoSelect`), in their order. */
  also: readonly Measures[];
  /** By epoch, which share of the validation images' predictions follow the class, and each cue that names classes. */
  follows: readonly { epoch: number; shares: Readonly<Record<string, number>> }[];
  /** Of stages before the one whose network is kept. */
  epochsBefore: number;
  /** By epoch, the accuracy on the validation images; of the stage whose network is kept. */
  validation: readonly number[];
  /** What it cost, of all cores together; null where that was not recorded. */
  coreSeconds: number | null;
  /** What its method has drawn; absent of most methods. */
  pictures?: readonly RunPicture[];
  /** Of runs whose accuracies are measured as they go on (`measureSteps`): each group of the test images, mean over those steps. */
  lately: readonly MeasuredGroup[];
}

/** Fractions, measured on the test images with one epoch's weights. */
export interface Measures {
  /** The epoch, how it was chosen, and with which labels. */
  chosen: { epoch: number; rule: string; labels: string };
  /** Test images. */
  count: number;
  /** Mean over groups. */
  unbiased: number;
  /** Plain accuracy. */
  samples: number;
  cues: Readonly<Record<string, { majority: number | null; minority: number | null; mmd: number | null }>>;
  /** The groups of the first grouping, where they are few enough to look at. */
  groups: readonly MeasuredGroup[];
  /** Of each value of the attributes that the case is told apart `by`; images count the same, whatever their class. */
  by?: readonly MeasuredGroup[];
  /** What is lost where cues are uncommon; null where it is not known how common they are. */
  gaps: MeasuredGaps | null;
}

export interface MeasuredGaps {
  /** I.D. accuracy: cells of common and uncommon cues weighted as in training. */
  inDistribution: number | null;
  cells: readonly MeasuredCell[];
}

interface MeasuredCell {
  /** The cues that are uncommon; all others are common. */
  uncommon: readonly string[];
  accuracy: number | null;
  /** Less I.D. accuracy; null where all cues are common. */
  gap: number | null;
}

export interface MeasuredGroup {
  class: string | null;
  /** Its values of the attributes. */
  values: Readonly<Record<string, string>>;
  count: number;
  /** Null where it has no test image. */
  accuracy: number | null;
}

/** In progress lines and in the list of failures. */
export function labelOf({ method, explicit, about = {}, at = {} }: StudyCase): string {
  const told = explicit.length > 0 ? ` told ${explicit.join(" + ")}` : "";
  const words = Object.entries(about).map(([name, value]) => `, ${name} ${value}`);
  const values = Object.entries(at).map(([name, value]) => `, ${name} ${value}`);
  return `${method}${told}${words.join("")}${values.join("")}`;
}
