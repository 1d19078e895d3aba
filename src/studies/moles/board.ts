/** The worlds' matrices: what each method did to each cue, all cells of all worlds judged as one family. */

import type { JudgedComparison } from "../../metrics/moles/index.ts";
import type { Selection } from "../../training/selection.ts";
import { labelOf, type MeasuredCase, type MeasuredRuns } from "../jobs/runs-job.ts";
import { baselineLabel } from "./rows.ts";
import { honestRule, isNearChance, judgeCases, oracleRule } from "./standings.ts";
import type { MoleWorld } from "./worlds.ts";

/** By which epochs are chosen: as papers do, with the groups of all cues, or with no labels that a method was not given. */
export type ChosenBy = "oracle" | "honest";

export interface BoardRow {
  label: string;
  case: MeasuredCase;
  /** Undefined where no seed has both, or the baseline has learned nothing. */
  judged: JudgedComparison | undefined;
}

export interface Board {
  world: MoleWorld;
  chosenBy: ChosenBy;
  cues: readonly string[];
  baseline: MeasuredCase | undefined;
  /** The baseline guesses: numbers stay, and what they would be called means nothing. */
  isUntrained: boolean;
  /** All but the baseline. */
  rows: readonly BoardRow[];
}

/** `margin` is in points. */
export function boardsOf(
  measured: readonly MeasuredRuns[],
  worlds: readonly MoleWorld[],
  chosenBy: ChosenBy,
  margin: number,
): Board[] {
  const unjudged = measured.map(({ job: { name, cues }, cases }) => {
    const world = worlds.find((each) => each.name === name)!;
    const baseline = cases.find(({ method }) => method === baselineLabel);
    const isUntrained =
      baseline !== undefined &&
      isNearChance(baseline, ruleOfBoard({ chosenBy, cues }, baseline), world.chance);
    const others = cases.filter((each) => each !== baseline);
    return { world, chosenBy, cues, baseline, isUntrained, others };
  });
  const judged = judgeCases(
    unjudged.flatMap((board) => {
      const ruled = (each: MeasuredCase) => ({ case: each, rule: ruleOfBoard(board, each) });
      const { baseline, isUntrained, others } = board;
      return others.map((each) =>
        baseline && !isUntrained ? { method: ruled(each), baseline: ruled(baseline) } : undefined,
      );
    }),
    margin,
  );
  let next = 0;
  return unjudged.map(({ others, ...board }) => ({
    ...board,
    rows: others.map((each) => ({ label: labelOf(each), case: each, judged: judged[next++] })),
  }));
}

export function ruleOfBoard(
  { chosenBy, cues }: Pick<Board, "chosenBy" | "cues">,
  { explicit }: MeasuredCase,
): Selection {
  return chosenBy === "oracle" ? oracleRule(cues) : honestRule(explicit);
}
