/** Training runs as a job: rows of tables and points of figures, each with the run behind it, and what is measured of them. */

import type { Selection } from "../../protocol/selection.ts";
import type { Sweep } from "../../protocol/sweep/sweep-file.ts";
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
}

/** What a row of a table or a point of a figure stands for. */
export interface StudyCase {
  /** As the paper calls it. */
  method: string;
  /** Cues whose labels the method is given. */
  explicit: readonly string[];
  /** Values of what the job varies, such as `pBias` or `rate`. */
  at?: Readonly<Record<string, number>>;
  /** Attributes that make groups with the class; the unbiased accuracy is the mean over them, and over such lists. */
  groupings: readonly (readonly string[])[];
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

/** Fractions, measured on the test images. */
export interface MeasuredRun {
  id: string;
  seed: number;
  /** Test images. */
  count: number;
  /** Mean over groups. */
  unbiased: number;
  /** Plain accuracy. */
  samples: number;
  cues: Readonly<Record<string, { majority: number | null; minority: number | null; mmd: number | null }>>;
  /** The groups of the first grouping, where they are few enough to look at. */
  groups: readonly MeasuredGroup[];
  /** By each of the job's rules, on the validation images; null where a rule cannot weigh them. */
  scores: readonly (number | null)[];
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
export function labelOf({ method, explicit, at = {} }: StudyCase): string {
  const told = explicit.length > 0 ? ` told ${explicit.join(" + ")}` : "";
  const values = Object.entries(at).map(([name, value]) => `, ${name} ${value}`);
  return `${method}${told}${values.join("")}`;
}
