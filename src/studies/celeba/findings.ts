/** What the paper found on CelebA, looked for in our runs. */

import { baseline } from "../compared-methods.ts";
import type { Finding, MeasuredCase } from "../study.ts";
import { accuracyEstimate, compare, percent, points } from "../summaries.ts";
import { groups, meanAccuracy } from "./sections.ts";

/** Those that gained seven to eight points on the standard model. */
const winners = ["UpWt", "GDRO", "RUBi", "SD"];

export function findingsOf(cases: readonly MeasuredCase[]): Finding[] {
  const standard = cases.find(({ method }) => method === baseline);
  const others = cases.filter(({ method }) => winners.includes(method));
  if (!standard || others.length === 0) return [];
  return [winnersFinding(standard, others), costFinding(standard, others)];
}

function winnersFinding(standard: MeasuredCase, others: readonly MeasuredCase[]): Finding {
  const reference = accuracyEstimate(standard.runs);
  const answers = others.map(({ runs }) => compare(accuracyEstimate(runs), reference) === "more");
  return {
    claim: `${winners.join(", ")} have a higher unbiased accuracy than ${baseline}`,
    verdict: answers.every(Boolean) ? "seen" : answers.some(Boolean) ? "mixed" : "not seen",
    evidence: [standard, ...others]
      .map(({ method, runs }) => `${method} ${percent(accuracyEstimate(runs).value)}`)
      .join(", "),
  };
}

function costFinding(standard: MeasuredCase, others: readonly MeasuredCase[]): Finding {
  const claim = "What they gain on blond people they lose on the others";
  const change = (each: MeasuredCase, blond: boolean) => {
    const own = groups.filter((group) => group.blond === blond);
    const changes = own.map((group) => [meanAccuracy(each, group), meanAccuracy(standard, group)] as const);
    if (changes.some(([after, before]) => after === undefined || before === undefined)) return undefined;
    return changes.reduce((sum, [after, before]) => sum + after! - before!, 0) / own.length;
  };
  const rows = others.map((each) => ({
    method: each.method,
    blond: change(each, true),
    other: change(each, false),
  }));
  if (rows.some(({ blond, other }) => blond === undefined || other === undefined))
    return { claim, verdict: "cannot be told", evidence: "some group has no test image" };
  const answers = rows.map(({ blond, other }) => blond! > 0 && other! < 0);
  return {
    claim,
    verdict: answers.every(Boolean) ? "seen" : answers.some(Boolean) ? "mixed" : "not seen",
    evidence: rows
      .map(
        ({ method, blond, other }) =>
          `${method} ${points(blond!)} points on blond, ${points(other!)} on not blond`,
      )
      .join("; "),
  };
}
