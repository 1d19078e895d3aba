/** One world's matrix: what each method did to each cue, judged as one family. */

import type { JudgedComparison } from "../../metrics/moles/index.ts";
import type { Selection } from "../../training/selection.ts";
import { labelOf, type MeasuredCase } from "../jobs/runs-job.ts";
import { baselineLabel } from "./rows.ts";
import { honestRule, judgeCases, oracleRule } from "./standings.ts";

/** By which epochs are chosen: as papers do, with the groups of all cues, or with no labels that a method was not given. */
export type ChosenBy = "oracle" | "honest";

export interface BoardRow {
  label: string;
  case: MeasuredCase;
  /** Undefined where no seed has both. */
  judged: JudgedComparison | undefined;
}

export interface Board {
  chosenBy: ChosenBy;
  cues: readonly string[];
  baseline: MeasuredCase | undefined;
  /** All but the baseline. */
  rows: readonly BoardRow[];
}

/** `margin` is in points. */
export function boardOf(
  cases: readonly MeasuredCase[],
  cues: readonly string[],
  chosenBy: ChosenBy,
  margin: number,
): Board {
  const baseline = cases.find(({ method }) => method === baselineLabel);
  const ruled = (each: MeasuredCase) => ({ case: each, rule: ruleOfBoard({ chosenBy, cues }, each) });
  const others = cases.filter((each) => each !== baseline);
  const judged = judgeCases(
    others.map((each) => baseline && { method: ruled(each), baseline: ruled(baseline) }),
    margin,
  );
  const rows = others.map((each, i) => ({ label: labelOf(each), case: each, judged: judged[i] }));
  return { chosenBy, cues, baseline, rows };
}

export function ruleOfBoard(
  { chosenBy, cues }: Pick<Board, "chosenBy" | "cues">,
  { explicit }: MeasuredCase,
): Selection {
  return chosenBy === "oracle" ? oracleRule(cues) : honestRule(explicit);
}
