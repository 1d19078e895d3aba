/**
 * What a study is: a paper's experiment as data. It says which runs or which pools of classifiers to make, which numbers
 * the paper printed, and how both are laid side by side; sweeps make the runs, reports draw the tables and figures.
 */

import { CuelabError } from "../core/errors.ts";
import type { Sweep } from "../sweeps/sweep-file.ts";
import type { Selection } from "../training/selection.ts";
import type { PoolStudy } from "./pool-study.ts";

export const presetNames = ["smoke", "quick", "day", "paper"] as const;
export type PresetName = (typeof presetNames)[number];

export function presetNamed(name: string): PresetName {
  const found = presetNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "usage",
    what: `no study has a preset "${name}"`,
    expected: `one of: ${presetNames.join(", ")}`,
  });
}

export type Study = RunStudy | PoolStudy;

/** What people are told of any study before it is run. */
export interface StudyHead {
  name: string;
  title: string;
  paper: string;
  question: string;
  /** What each preset is, in the order of their cost. */
  presets: Readonly<Record<PresetName, PresetCard>>;
  /** What has to be given, such as the folder of images that cannot be part of this package. */
  needs: Readonly<Record<string, string>>;
}

/** A study made of training runs, each part a sweep. */
export interface RunStudy extends StudyHead {
  madeOf: "runs";
  plan(preset: PresetName, given: Readonly<Record<string, string>>): StudyPlan;
  /** Tables, figures and findings. Parts without a finished run are missing from what is given. */
  report(measured: readonly MeasuredPart[], plan: StudyPlan): StudyReport;
}

export interface PresetCard {
  /** What is smaller than in the paper. */
  reduces: string;
  /** What it can and what it cannot show. */
  shows: string;
  /** How long it takes, and where that was measured. */
  cost: string;
}

export interface StudyPlan {
  parts: readonly StudyPart[];
  /** Attributes whose majority and minority are told apart. */
  cues: readonly string[];
  /** What always guessing would get. */
  chance: number;
}

/** Runs that answer one question. Parts may share runs: equal ones are made once. */
export interface StudyPart {
  name: string;
  title: string;
  entries: readonly StudyEntry[];
  seeds: readonly number[];
  /** A search before the runs, as sweeps have it. */
  search?: Sweep["search"];
  /** Rules by which one could choose among the part's runs; each run is scored by each. */
  scoredBy?: readonly Selection[];
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
  /** Values of what the part varies, such as `pBias` or `rate`. */
  at?: Readonly<Record<string, number>>;
  /** Attributes that make groups with the class; the unbiased accuracy is the mean over them, and over such lists. */
  groupings: readonly (readonly string[])[];
}

export interface MeasuredPart {
  part: StudyPart;
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
  /** By each of the part's rules, on the validation images; null where a rule cannot weigh them. */
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

export interface StudyReport {
  sections: readonly StudySection[];
  findings: readonly Finding[];
}

export interface StudySection {
  name: string;
  heading: string;
  /** What is asked, what the paper found, what is seen here. */
  text: string;
  tables: readonly StudyTable[];
  figures: readonly StudyFigure[];
}

/**
 * A fraction over seeds with their standard deviation, from which tables make Student's interval; a number that is
 * printed as its text says, or words; null is an empty cell.
 */
export type StudyCell =
  | { mean: number; deviation: number | null; runs: number }
  | { value: number; text: string }
  | string
  | null;

export interface StudyColumn {
  title: string;
  /** The best and second best of our rows are marked. */
  better?: "higher" | "lower";
}

export interface StudyRow {
  source: "ours" | "published";
  cells: readonly StudyCell[];
}

export interface StudyTable {
  name: string;
  caption: string;
  columns: readonly StudyColumn[];
  rows: readonly StudyRow[];
}

/** What charts are made of. Values are fractions unless a format says otherwise. */
export type StudyFigure = { name: string; caption: string } & (
  | {
      kind: "lines";
      x: { title: string; log?: boolean; values: readonly number[] };
      y: string;
      points: readonly (FigureValue & { x: number; y: number })[];
      reference?: FigureReference;
    }
  | { kind: "boxes"; value: string; values: readonly { category: string; kind: string; value: number }[] }
  | {
      kind: "dots";
      value: string;
      /** Of d3, for numbers that are no fractions. */
      format?: string;
      points: readonly (FigureValue & { row: string; value: number })[];
      reference?: FigureReference;
    }
  /** OOD against ID accuracy of a judged split of a pool, by the split's name. */
  | { kind: "split"; split: string }
);

interface FigureValue {
  series: string;
  low?: number | undefined;
  high?: number | undefined;
  published?: boolean;
}

export interface FigureReference {
  value: number;
  label: string;
}

export interface Finding {
  claim: string;
  verdict: "seen" | "not seen" | "mixed" | "cannot be told";
  /** The numbers that it rests on. */
  evidence: string;
}
