/** From measured runs to what a mole verdict is made of: a method and its baseline on the same draws, under one rule. */

import { mean } from "../../core/statistics/index.ts";
import {
  type CueStanding,
  compareSeeds,
  type JudgedComparison,
  judgeMoles,
  type MoleComparison,
  type SeedPair,
} from "../../metrics/moles/index.ts";
import { describeSelection, type Selection } from "../../training/selection.ts";
import type { MeasuredCase, MeasuredGaps, MeasuredRun, Measures, StudyCase } from "../jobs/runs-job.ts";
import { isTrained, untrainedWords } from "../plateau.ts";

/** What a case measures of the epoch that a rule chose; undefined where it keeps none by that rule. */
function measuresBy({ rules = [] }: MeasuredCase, run: MeasuredRun, rule: Selection): Measures | undefined {
  const key = JSON.stringify(rule);
  const place = rules.findIndex((each) => JSON.stringify(each) === key);
  return place === 0 ? run : run.also[place - 1];
}

/** Gaps of each seed under a rule; seeds without any are left out. */
export function gapsBy(each: MeasuredCase, rule: Selection): { seed: number; gaps: MeasuredGaps }[] {
  return each.runs.flatMap((run) => {
    const gaps = measuresBy(each, run, rule)?.gaps;
    return gaps ? [{ seed: run.seed, gaps }] : [];
  });
}

export function gapOf(gaps: MeasuredGaps, cues: readonly string[]): number | null {
  return gaps.cells.find(({ uncommon }) => sameCues(uncommon, cues))?.gap ?? null;
}

/** A method's case under its rule beside the baseline's under the baseline's own. */
export interface ComparedCases {
  method: { case: MeasuredCase; rule: Selection };
  baseline: { case: MeasuredCase; rule: Selection };
}

/** All of them one family; undefined where a method and its baseline share no seed, or one is untrained. `margin` is in points. */
export function judgeCases(
  asked: readonly (ComparedCases | undefined)[],
  margin: number,
): (JudgedComparison | undefined)[] {
  const compared = asked.map((each) => each && compareCases(each, margin));
  const judged = judgeMoles(compared.filter((each) => each !== undefined));
  let next = 0;
  return compared.map((each) => (each === undefined ? undefined : judged[next++]));
}

function compareCases({ method, baseline }: ComparedCases, margin: number): MoleComparison | undefined {
  if (!isTrained(method.case) || !isTrained(baseline.case)) return undefined;
  const theirs = new Map(gapsBy(baseline.case, baseline.rule).map(({ seed, gaps }) => [seed, gaps]));
  const pairs = gapsBy(method.case, method.rule).flatMap(({ seed, gaps }): SeedPair[] => {
    const other = theirs.get(seed);
    return other ? [{ method: standingsOf(gaps), baseline: standingsOf(other) }] : [];
  });
  return pairs.length === 0 ? undefined : compareSeeds(pairs, "cells", { margin: margin / 100 });
}

/** Why there are none, for people. */
export function missingVerdicts(cases: readonly MeasuredCase[], baselineNearChance: boolean): string[] {
  if (baselineNearChance) return ["the baseline is near chance: there are no verdicts"];
  const words = untrainedWords(cases.filter(({ runs }) => runs.length > 0));
  return words === undefined ? [] : [`${words}: no verdict`];
}

/** Each cue alone, and all of them together. */
function standingsOf({ inDistribution, cells }: MeasuredGaps): CueStanding[] {
  const most = Math.max(...cells.map(({ uncommon }) => uncommon.length));
  return cells.flatMap(({ uncommon, accuracy }): CueStanding[] =>
    accuracy === null || inDistribution === null || ![1, most].includes(uncommon.length)
      ? []
      : [{ cues: uncommon, uncommon: accuracy, common: inDistribution }],
  );
}

/** Below this distance from guessing, gaps are not about shortcuts. */
const fromChance = 0.05;

/** Whether a network has hardly learned the task: what is told of its gaps means nothing then. */
export function isNearChance(each: MeasuredCase, rule: Selection, chance: number): boolean {
  const values = gapsBy(each, rule).flatMap(({ gaps }) => gaps.inDistribution ?? []);
  return values.length > 0 && mean(values) < chance + fromChance;
}

export function sameCues(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((cue) => other.includes(cue));
}

/** The worst of all groups that all cues make, whatever a method was told: an oracle, which is what papers choose by. */
export function oracleRule(cues: readonly string[]): Selection {
  return { by: "val-worst-group", groups: [...cues] };
}

/** With no labels but those that the method was given: of groups that it was told, else of classes. */
export function honestRule(told: readonly string[]): Selection {
  return told.length === 0 ? { by: "val-worst-class", groups: [] } : oracleRule(told);
}

/** For pages: what stands in a difference between methods that were chosen by different labels. */
export const honestWords =
  "Where epochs are chosen with no labels but those that each method was given, a method that was told groups is chosen by them and the " +
  "baseline by its worst class: that difference is of the method and of its choice together.";

/**
 * All rules by which a run keeps an epoch. The paper's comes first: the worst of all groups, or of those that are told; then the
 * other. The baseline is chosen anew for each choice of cues that others are told, from the same run.
 */
function rulesFor(cues: readonly string[], told: readonly string[], isBaseline: boolean): Selection[] {
  if (isBaseline) return [cues, ...cues.map((cue) => [cue])].map(oracleRule).concat(honestRule([]));
  return told.length === 0 ? [oracleRule(cues), honestRule([])] : [honestRule(told), oracleRule(cues)];
}

/** Without the same twice, as a run's spec takes them. */
export function keptBy(rules: readonly Selection[]): {
  rules: readonly Selection[];
  run: { select: Selection; alsoSelect?: readonly Selection[] };
} {
  const keys = rules.map((rule) => JSON.stringify(rule));
  const own = rules.filter((_, i) => keys.indexOf(keys[i]!) === i);
  const [select, ...alsoSelect] = own as [Selection, ...Selection[]];
  return { rules: own, run: { select, ...(alsoSelect.length > 0 && { alsoSelect }) } };
}

/** A row of a study of two cues: its case, and how its run keeps epochs. */
export function ruledCase(
  { label, told, solved }: { label: string; told: readonly string[]; solved?: true },
  cues: readonly string[],
  baselineLabel: string,
): { case: StudyCase; run: ReturnType<typeof keptBy>["run"] } {
  const { rules, run } = keptBy(rulesFor(cues, told, label === baselineLabel));
  return {
    case: { method: label, explicit: told, groupings: [cues], rules, ...(solved && { solved }) },
    run,
  };
}

/** Which labels a rule takes, in words. */
export function labelsOf(rule: Selection): string {
  return describeSelection(rule).labels;
}
