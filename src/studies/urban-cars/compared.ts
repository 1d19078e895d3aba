/** Each method beside the baseline that goes with it: what tables print, and what findings go by. */

import type { JudgedComparison } from "../../metrics/moles/index.ts";
import type { Selection } from "../../training/selection.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { honestRule, isNearChance, judgeCases, oracleRule } from "../moles/standings.ts";
import { baseline, cues } from "./rows.ts";

/** Two classes. */
const chance = 0.5;

/** A case's rule, and the baseline's that goes with it. */
export type RuleOf = (each: MeasuredCase) => { own: Selection; baseline: Selection };

/** As the paper: the worst of all groups, or of those that are told; the baseline is chosen likewise, section by section. */
export const paperRule: RuleOf = ({ explicit }) => {
  const rule = explicit.length === 0 ? oracleRule(cues) : oracleRule(explicit);
  return { own: rule, baseline: rule };
};

/** With no labels but those that each was given. */
export const honest: RuleOf = ({ explicit }) => ({ own: honestRule(explicit), baseline: honestRule([]) });

/** Whether nothing beside the standard model means anything. */
export function isUntrained(standard: MeasuredCase): boolean {
  return isNearChance(standard, oracleRule(cues), chance);
}

export interface ComparedRow {
  case: MeasuredCase;
  judged: JudgedComparison | undefined;
}

/** Of one table: all its rows and both cues are one family. */
export function comparedRows(cases: readonly MeasuredCase[], rule: RuleOf, margin: number): ComparedRow[] {
  const standard = cases.find(({ method }) => method === baseline);
  // Numbers stay; what they would be called means nothing near chance.
  if (standard === undefined || isUntrained(standard))
    return cases.map((each) => ({ case: each, judged: undefined }));
  const judged = judgeCases(
    cases.map((each) => {
      if (each === standard) return undefined;
      const { own, baseline: theirs } = rule(each);
      return { method: { case: each, rule: own }, baseline: { case: standard, rule: theirs } };
    }),
    margin,
  );
  return cases.map((each, i) => ({ case: each, judged: judged[i] }));
}
