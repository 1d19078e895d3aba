/** Beside a baseline: the verdict a cue of `eval`, and which groups' images changed. */

import { sumTallies } from "../../metrics/counts.ts";
import type { Evaluation } from "../../metrics/evaluation.ts";
import { compareToBaseline, flipsIn, judgeMoles, moleSentence } from "../../metrics/moles/index.ts";
import type { EvaluationReport } from "./evaluation-report.ts";
import type { EvaluationContext } from "./report.ts";

/** Nothing without a baseline for every seed, or without cues. */
export function withMoles(
  evaluations: readonly Evaluation[],
  context: EvaluationContext,
): Pick<EvaluationReport, "moles"> {
  const { baselines, margin } = context;
  if (baselines.length === 0 || hasOneBaseline(context)) return {};
  const comparison = compareToBaseline(evaluations, { margin });
  if (comparison === null) return {};
  const [judged] = judgeMoles([comparison]);
  return { moles: { ...judged!, sentence: moleSentence(judged!), groupFlips: groupFlips(evaluations) } };
}

/** Differences to one and the same model are not independent, and what is its own seed's would pass for the method's. */
export function oneBaselineRemark(context: EvaluationContext): string[] {
  if (!hasOneBaseline(context) || context.cues.length === 0) return [];
  return [
    `no verdict on cues: ${context.files.length} seeds beside one and the same baseline say nothing of its other seeds; give --baseline once a seed`,
  ];
}

function hasOneBaseline({ files, baselines }: EvaluationContext): boolean {
  return files.length > 1 && baselines.length === 1;
}

function groupFlips(evaluations: readonly Evaluation[]) {
  const names = new Set(evaluations.flatMap(({ groups }) => groups.map(({ name }) => name)));
  return [...names].flatMap((group) => {
    const tallies = evaluations.flatMap(({ groups }) => groups.filter(({ name }) => name === group));
    return sumTallies(tallies).count === 0 ? [] : [{ group, ...flipsIn(tallies) }];
  });
}
