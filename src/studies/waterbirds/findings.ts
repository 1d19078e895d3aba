/** What Li et al. 2023 found on Waterbirds, looked for in our runs by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import type { MeasuredCase, Measures } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { isNearChance } from "../moles/standings.ts";
import { trainedDifference } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { baseline, paperRule } from "./plan.ts";

export const claims = {
  cutmix: "CutMix serves the worst group worse than the standard model",
  others: "Mixup and Cutout serve the worst group better than the standard model",
};

/** Two classes. */
const chance = 0.5;

/** Null where a group has no test image: another one would be the worst then. */
export function worstGroupOf({ groups }: Pick<Measures, "groups">): number | null {
  const accuracies = groups.flatMap(({ accuracy }) => accuracy ?? []);
  return groups.length > 0 && accuracies.length === groups.length ? Math.min(...accuracies) : null;
}

export function isUntrained(standard: MeasuredCase): boolean {
  return isNearChance(standard, paperRule, chance);
}

export function waterbirdsFindings(cases: readonly MeasuredCase[], { margin }: RegisteredPlan): Finding[] {
  const standard = cases.find(({ method, runs }) => method === baseline && runs.length > 0);
  const finding = (
    claim: string,
    labels: readonly string[],
    expected: JudgedDifference["expected"],
  ): Finding => {
    if (standard === undefined) return untold(claim, `${baseline} has no finished run`);
    if (isUntrained(standard)) return untold(claim, "the standard model is near chance");
    const asked = cases.filter(({ method, runs }) => labels.includes(method) && runs.length > 0);
    if (asked.length < labels.length)
      return untold(claim, `not all of ${labels.join(", ")} have a finished run`);
    const under = (of: (run: MeasuredCase["runs"][number]) => number | null) =>
      judged(
        claim,
        asked.map((each) => ({
          name: `${each.method} less ${baseline}, worst group`,
          ...trainedDifference([each], [standard], of),
          expected,
        })),
        { margin, evidence: [] },
      );
    const [paper, other] = [
      under(worstGroupOf),
      under(({ also: [honest] }) => (honest ? worstGroupOf(honest) : null)),
    ];
    const words =
      paper.verdict === other.verdict
        ? "the same with epochs chosen by no labels but classes"
        : `but with epochs chosen by no labels but classes: ${other.verdict} (${other.evidence})`;
    return { ...paper, evidence: `${paper.evidence}; ${words}` };
  };
  return [finding(claims.cutmix, ["CutMix"], "below"), finding(claims.others, ["Mixup", "Cutout"], "above")];
}
