/** From differences over seeds to one of the four outcomes: what every finding about methods is judged by. */

import type { Finding, FindingVerdict } from "../core/section.ts";
import { effectOutcomes, type JudgedClaim, type Outcome } from "../core/statistics/index.ts";
import { points } from "./summaries.ts";

/** One comparison that a finding rests on: a value a seed, and what is claimed of their mean. */
export interface JudgedDifference {
  /** Such as `GDRO less StdM`. */
  name: string;
  values: readonly number[];
  /** Why there are no values, such as that a method is untrained. */
  open?: string;
  expected: "above" | "below";
  /** Outcomes with which the claim holds; `seen` alone unless said, `equivalent` for claims that two are level. */
  holds?: readonly Outcome[];
}

/** Of one comparison. */
export type DifferenceValues = Pick<JudgedDifference, "values" | "open">;

export function untold(claim: string, evidence: string): Finding {
  return { claim, verdict: "cannot be told", evidence };
}

/** For plans: how `judged` decides. */
export const judgedRule =
  "Every comparison is a mean over seeds of differences within a seed, by Student's t. Seen: every comparison is in the " +
  "claimed direction and beyond chance. Equivalent to none: each is equivalent to none at the margin. Contradicted: one is " +
  "beyond chance in the other direction, or equivalent to none while others are not. Else it cannot be told, and with one seed " +
  "never; the smallest mean that could have been seen with a power of 80% is told";

export const judgedFamily = "all comparisons of this finding, adjusted by Holm; intervals are not adjusted";

/** All comparisons together are one family; `margin` is in points. Comparisons without a value leave it open. */
export function judged(
  claim: string,
  comparisons: readonly JudgedDifference[],
  { margin, evidence }: { margin: number; evidence: readonly string[] },
): Finding {
  // One that could not be made was in the family all the same: a single value is tested by nothing.
  const claims = comparisons.map(({ values, expected }) => ({
    values: values.length === 0 ? [0] : values,
    expected,
  }));
  const outcomes = effectOutcomes(claims, { margin: margin / 100 });
  const holding = comparisons.map(({ holds = ["seen"] }, i) => holds.includes(outcomes[i]!.outcome));
  return {
    claim,
    verdict: verdictOf(
      outcomes.map(({ outcome }) => outcome),
      holding,
    ),
    evidence: [...evidence, ...comparisons.map((each, i) => comparisonWords(each, outcomes[i]!))].join("; "),
  };
}

/** From what each comparison came out as, and whether the claim holds with that. */
export function verdictOf(outcomes: readonly Outcome[], holding: readonly boolean[]): FindingVerdict {
  if (outcomes.length === 0) return "cannot be told";
  if (holding.every(Boolean)) return "seen";
  if (outcomes.every((outcome) => outcome === "equivalent")) return "equivalent to none";
  const against = outcomes.some((outcome, i) => !holding[i] && outcome !== "cannot be told");
  return against ? "contradicted" : "cannot be told";
}

function comparisonWords(
  { name, values, open: why = "no seed has both" }: JudgedDifference,
  judgement: JudgedClaim,
): string {
  const { mean, low, high, n, outcome, smallestSeen } = judgement;
  if (values.length === 0) return `${name}: ${why}`;
  if (low === undefined || high === undefined)
    return `${name}: ${points(mean)} points with one seed, which tells nothing of others`;
  const open = outcome === "cannot be told" ? `, could have seen ${points(smallestSeen!)} or more` : "";
  const words = outcome === "equivalent" ? "equivalent to none" : outcome;
  return `${name}: ${points(mean)} points (${points(low)} to ${points(high)}, ${n} seeds, ${n - 1} ${n === 2 ? "degree" : "degrees"} of freedom), ${words}${open}`;
}

/** Of answers that are no differences over seeds: for, against, or neither. */
export function counted(
  answers: readonly ("for" | "against" | "open")[],
): Exclude<FindingVerdict, "equivalent to none"> {
  if (answers.includes("against")) return "contradicted";
  return answers.length > 0 && answers.every((answer) => answer === "for") ? "seen" : "cannot be told";
}
