/** What the paper found on CelebA, looked for in our runs. */

import { mean } from "../../core/statistics/index.ts";
import { baseline } from "../compared-methods.ts";
import type { Finding, MeasuredCase, StudyPlan } from "../study.ts";
import {
  accuracyEstimate,
  atChance,
  basisOf,
  compare,
  differenceOf,
  type Estimate,
  estimateOf,
  percent,
  points,
  untold,
  verdictOf,
} from "../summaries.ts";
import { accuracyOf, groups, meanAccuracy } from "./sections.ts";

/** Those that gained seven to eight points on the standard model. */
const winners = ["UpWt", "GDRO", "RUBi", "SD"];

export function findingsOf(cases: readonly MeasuredCase[], { chance }: StudyPlan): Finding[] {
  const standard = cases.find(({ method }) => method === baseline);
  const others = cases.filter(({ method }) => winners.includes(method));
  const findings = [winnersFinding(standard, others), costFinding(standard, others)];
  const guessing = standard && [standard, ...others].every((each) => atChance(each, chance));
  return guessing ? findings.map(({ claim }) => untold(claim, "every method is near chance")) : findings;
}

const nothing = `${baseline} or all of the others have no finished run`;

function winnersFinding(standard: MeasuredCase | undefined, others: readonly MeasuredCase[]): Finding {
  const claim = `${winners.join(", ")} have a higher unbiased accuracy than ${baseline}`;
  if (!standard || others.length === 0) return untold(claim, nothing);
  const values = [standard, ...others].map(
    ({ method, runs }) => `${method} ${percent(accuracyEstimate(runs).value)}`,
  );
  const basis = basisOf(others.map(({ runs }) => differenceOf(runs, standard.runs)));
  return {
    claim,
    verdict: verdictOf(others.map(({ runs }) => compare(runs, standard.runs) === "more")),
    evidence: `${values.join(", ")}; ${basis}`,
  };
}

function costFinding(standard: MeasuredCase | undefined, others: readonly MeasuredCase[]): Finding {
  const claim = "What they gain on blond people they lose on the others";
  if (!standard || others.length === 0) return untold(claim, nothing);
  const rows = others.map((each) => ({
    method: each.method,
    blond: changeOf(standard, each, true),
    other: changeOf(standard, each, false),
  }));
  const known = rows.flatMap(({ method, blond, other }) =>
    blond && other ? [{ method, blond, other }] : [],
  );
  if (known.length < rows.length) return untold(claim, "some group has no test image");
  return {
    claim,
    verdict: verdictOf(
      known.map(({ blond, other }) => blond.value > blond.margin && other.value < -other.margin),
    ),
    evidence: [
      ...known.map(
        ({ method, blond, other }) =>
          `${method} ${points(blond.value)} points on blond, ${points(other.value)} on not blond`,
      ),
      basisOf(known.flatMap(({ blond, other }) => [blond, other])),
    ].join("; "),
  };
}

/** The mean change of the two groups of a hair colour: seed by seed, or of one seed by the number of images. */
function changeOf(standard: MeasuredCase, each: MeasuredCase, blond: boolean): Estimate | undefined {
  const own = groups.filter((group) => group.blond === blond);
  let [value, variance] = [0, 0];
  for (const group of own) {
    const [after, before] = [meanAccuracy(each, group), meanAccuracy(standard, group)];
    if (after === undefined || before === undefined) return undefined;
    value += (after.value - before.value) / own.length;
    for (const { value: share, images } of [after, before])
      variance += (share * (1 - share)) / images / own.length ** 2;
  }
  const changes = each.runs.flatMap((run) => {
    const before = standard.runs.find(({ seed }) => seed === run.seed);
    const parts = own.flatMap((group) => {
      const [now, then] = [accuracyOf(run, group), before ? accuracyOf(before, group) : null];
      return now === null || then === null ? [] : [now - then];
    });
    return parts.length === own.length ? [mean(parts)] : [];
  });
  const margin = 2 * Math.sqrt(variance);
  return changes.length > 1
    ? estimateOf(changes, margin)
    : { value, margin, over: "images", seeds: changes.length };
}
