/** One world's matrix: what each method did to each cue, judged as one family. */

import { type JudgedComparison, judgeMoles, type MoleComparison } from "../../metrics/moles/index.ts";
import { labelOf, type MeasuredCase } from "../jobs/runs-job.ts";
import { baselineLabel } from "./rows.ts";
import { compareCases, honestRule, oracleRule } from "./standings.ts";

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

/** Undefined cases are those without a finished run; `margin` is in points. */
export function boardOf(
  cases: readonly MeasuredCase[],
  cues: readonly string[],
  chosenBy: ChosenBy,
  margin: number,
): Board {
  const baseline = cases.find(({ method }) => method === baselineLabel);
  const ruleOf = ({ explicit }: MeasuredCase) =>
    chosenBy === "oracle" ? oracleRule(cues) : honestRule(explicit);
  const others = cases.filter((each) => each !== baseline);
  const compared = others.map((each): MoleComparison | undefined =>
    baseline === undefined
      ? undefined
      : compareCases(
          {
            method: { case: each, rule: ruleOf(each) },
            baseline: { case: baseline, rule: ruleOf(baseline) },
          },
          margin,
        ),
  );
  // All cells of the board are one family.
  const judged = judgeMoles(compared.filter((each) => each !== undefined));
  let next = 0;
  const rows = others.map((each, i) => ({
    label: labelOf(each),
    case: each,
    judged: compared[i] === undefined ? undefined : judged[next++],
  }));
  return { chosenBy, cues, baseline, rows };
}

export function ruleOfBoard({ chosenBy, cues }: Board, { explicit }: MeasuredCase) {
  return chosenBy === "oracle" ? oracleRule(cues) : honestRule(explicit);
}
