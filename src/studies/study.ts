/**
 * What a study is: a registered report as data. Its plan says before the first run what is asked and by which rule it is
 * answered; its jobs say what to make; its report lays what was measured beside what a paper printed.
 */

import { CuelabError } from "../core/errors.ts";
import type { Finding, Section } from "../core/section.ts";
import type { Measured, StudyJob } from "./jobs/kinds.ts";

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

export interface Study {
  name: string;
  title: string;
  paper: string;
  question: string;
  /** What each preset is, in the order of their cost. */
  presets: Readonly<Record<PresetName, PresetCard>>;
  /** What has to be given, such as the folder of images that cannot be part of this package. */
  needs: Readonly<Record<string, string>>;
  /** What may be given beside it: without it something is left out, and the report says so. */
  offers?: Readonly<Record<string, string>>;
  /** The same of some presets alone, of which it may be needed. */
  takes?: Readonly<Record<string, StudyGiven>>;
  /** What is fixed before the first run; its digest stands in every table. */
  registered(preset: PresetName): RegisteredPlan;
  /** What is made, part by part; `given` is what it needs, and what was given of what it offers. */
  jobs(preset: PresetName, given: Readonly<Record<string, string>>): readonly StudyJob[];
  /**
   * Findings in the order of the plan, and sections. Of parts that have nothing finished there is nothing in what was
   * measured, which may be empty: every finding cannot be told then.
   */
  report(measured: readonly Measured[], asked: ReportContext): StudyReport;
}

export interface StudyGiven {
  what: string;
  /** In others it has no effect, and is refused. */
  presets: readonly PresetName[];
  /** These do not go without it. */
  required?: boolean;
}

/** Names of what a preset may be given. */
export function givenNames(
  { needs, offers, takes = {} }: Pick<Study, "needs" | "offers" | "takes">,
  preset: PresetName,
): string[] {
  const taken = Object.entries(takes).filter(([, { presets }]) => presets.includes(preset));
  return [...Object.keys({ ...needs, ...offers }), ...taken.map(([name]) => name)];
}

export function defineStudy(study: Study): Study {
  return study;
}

export interface PresetCard {
  /** What is smaller than in the paper. */
  reduces: string;
  /** What it can and what it cannot show. */
  shows: string;
  /** How long it takes, and where that was measured. */
  cost: string;
}

export interface ReportContext {
  preset: PresetName;
  registered: RegisteredPlan;
}

export interface StudyReport {
  findings: readonly Finding[];
  sections: readonly Section[];
}

/** Plain data: its digest is taken of it. */
export interface RegisteredPlan {
  /** What is estimated. */
  estimands: readonly { name: string; words: string }[];
  /** What others are compared with. */
  baseline: string;
  /** In points of a hundred: differences below it are as good as none. */
  margin: number;
  /** How epochs, settings and runs are chosen, and with which labels. */
  selection: readonly string[];
  /** How much each method or classifier may use. */
  budget: string;
  /** No two of them share one. */
  seeds: Readonly<Record<SeedPurpose, readonly number[]>>;
  /** What is left out, and by which rule. */
  exclusions: readonly string[];
  findings: readonly RegisteredFinding[];
}

export interface RegisteredFinding {
  claim: string;
  /** When it is seen, contradicted, equivalent to none, or cannot be told. */
  rule: string;
  /** Which comparisons are judged together, and how they are adjusted. */
  family: string;
}

export const seedPurposes = ["calibration", "tuning", "reporting"] as const;
export type SeedPurpose = (typeof seedPurposes)[number];
