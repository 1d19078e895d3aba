/** What the paper found on CelebA, looked for in our runs. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { baseline } from "../compared-methods.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import { atChance, differencesOf, points, unbiasedOf } from "../summaries.ts";
import { groups, hairGroupAccuracy, meanAccuracy } from "./sections.ts";

/** Those that gained seven to eight points on the standard model. */
const winners = ["UpWt", "GDRO", "RUBi", "SD"];

/** What always guessing would get. */
const chance = 0.5;

export const claims = {
  winners: `${winners.join(", ")} have a higher unbiased accuracy than ${baseline}`,
  cost: "What they gain on blond people they lose on the others",
};

export function celebaFindings(cases: readonly MeasuredCase[], { margin }: RegisteredPlan): Finding[] {
  const standard = cases.find(({ method }) => method === baseline);
  const others = cases.filter(({ method }) => winners.includes(method));
  const findings = [winnersFinding(standard, others, margin), costFinding(standard, others, margin)];
  const guessing = standard && [standard, ...others].every((each) => atChance(each, chance));
  return guessing ? findings.map(({ claim }) => untold(claim, "every method is near chance")) : findings;
}

const nothing = `${baseline} or all of the others have no finished run`;

function winnersFinding(
  standard: MeasuredCase | undefined,
  others: readonly MeasuredCase[],
  margin: number,
): Finding {
  const claim = claims.winners;
  if (!standard || others.length === 0) return untold(claim, nothing);
  const values = [standard, ...others].map(
    ({ method, runs }) => `${method} ${percentText(mean(unbiasedOf(runs)))}`,
  );
  const comparisons = others.map(
    ({ method, runs }): JudgedDifference => ({
      name: `${method} less ${baseline}`,
      values: differencesOf(runs, standard.runs),
      expected: "above",
    }),
  );
  return judged(claim, comparisons, { margin, evidence: [values.join(", ")] });
}

function costFinding(
  standard: MeasuredCase | undefined,
  others: readonly MeasuredCase[],
  margin: number,
): Finding {
  const claim = claims.cost;
  if (!standard || others.length === 0) return untold(claim, nothing);
  const known = [standard, ...others].every((each) =>
    groups.every((group) => meanAccuracy(each, group) !== undefined),
  );
  if (!known) return untold(claim, "some group has no test image");
  const comparisons = others.flatMap(({ method, runs }): JudgedDifference[] => [
    {
      name: `${method} less ${baseline} on blond`,
      values: differencesOf(runs, standard.runs, ofHair(true)),
      expected: "above",
    },
    {
      name: `${method} less ${baseline} on not blond`,
      values: differencesOf(runs, standard.runs, ofHair(false)),
      expected: "below",
    },
  ]);
  const evidence = others.map(
    (each) =>
      `${each.method} ${points(changeOf(standard, each, true))} points on blond, ${points(changeOf(standard, each, false))} on not blond`,
  );
  return judged(claim, comparisons, { margin, evidence });
}

/** The mean accuracy of the two groups of a hair colour; null where one has no test image. */
function ofHair(blond: boolean): (run: MeasuredRun) => number | null {
  const own = groups.filter((group) => group.blond === blond);
  return (run) => {
    const values = own.flatMap((group) => hairGroupAccuracy(run, group) ?? []);
    return values.length === own.length ? mean(values) : null;
  };
}

/** Of the means over seeds. */
function changeOf(standard: MeasuredCase, each: MeasuredCase, blond: boolean): number {
  const own = groups.filter((group) => group.blond === blond);
  return mean(own.map((group) => meanAccuracy(each, group)!.value - meanAccuracy(standard, group)!.value));
}
