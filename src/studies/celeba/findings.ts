/** What the paper found on CelebA, looked for in our runs. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { baseline } from "../compared-methods.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { trainedDifference } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { atChance, partNamed, points, seedMeans, unbiasedOf } from "../summaries.ts";
import { claims, firstLffBlondMen, level, winners } from "./claims.ts";
import { everywhereFinding } from "./everywhere.ts";
import { firstLff, otherDataset } from "./plan.ts";
import { groups, hairGroupAccuracy, majorityAccuracy, meanAccuracy, minorityAccuracy } from "./sections.ts";
import { tuningFindings } from "./tuning-findings.ts";

/** What always guessing would get. */
const chance = 0.5;

/** In the order of the plan. */
export function celebaFindings(measured: readonly Measured[], { margin }: RegisteredPlan): Finding[] {
  const methods = partNamed(measured, "methods");
  const standard = methods.find(({ method }) => method === baseline);
  const named = (labels: readonly string[]) => methods.filter(({ method }) => labels.includes(method));
  const found: Record<keyof typeof claims, Finding> = {
    winners: besideFinding(claims.winners, standard, named(winners), { expected: "above" }, margin),
    cost: costFinding(standard, named(winners), margin),
    level: besideFinding(
      claims.level,
      standard,
      named(level),
      { expected: "above", holds: ["equivalent"] },
      margin,
    ),
    firstLff: firstLffFinding(methods, margin),
    ...tuningFindings(partNamed(measured, "tuning"), margin),
    everywhere: everywhereFinding(methods, partNamed(measured, otherDataset), margin),
  };
  const guessing = standard && [standard, ...named(winners)].every((each) => atChance(each, chance));
  const names = Object.keys(claims) as (keyof typeof claims)[];
  return names.map((name) => (guessing ? untold(claims[name], "every method is near chance") : found[name]));
}

const nothing = `${baseline} or all of the others have no finished run`;

function besideFinding(
  claim: string,
  standard: MeasuredCase | undefined,
  others: readonly MeasuredCase[],
  how: Pick<JudgedDifference, "expected" | "holds">,
  margin: number,
): Finding {
  if (!standard || others.length === 0) return untold(claim, nothing);
  const values = [standard, ...others].map(
    ({ method, runs }) => `${method} ${percentText(mean(unbiasedOf(runs)))}`,
  );
  const comparisons = others.map(
    (each): JudgedDifference => ({
      name: `${each.method} less ${baseline}`,
      ...trainedDifference([each], [standard]),
      ...how,
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
  const comparisons = others.flatMap((each): JudgedDifference[] => [
    {
      name: `${each.method} less ${baseline} on blond`,
      ...trainedDifference([each], [standard], ofHair(true)),
      expected: "above",
    },
    {
      name: `${each.method} less ${baseline} on not blond`,
      ...trainedDifference([each], [standard], ofHair(false)),
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

function firstLffFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.firstLff;
  const first = methods.find(({ method }) => method === firstLff.label);
  const tuned = methods.find(({ method }) => method === "LfF");
  if (!first || !tuned) return untold(claim, "one of the two has no finished run");
  const comparisons: JudgedDifference[] = [
    {
      name: "γ = 0.7 less 0.1 on blond men",
      ...trainedDifference([first], [tuned], minorityAccuracy),
      expected: "above",
    },
    {
      name: "γ = 0.7 less 0.1 on the others",
      ...trainedDifference([first], [tuned], majorityAccuracy),
      expected: "below",
    },
  ];
  const values = seedMeans([first], minorityAccuracy).map(({ value }) => value);
  const own = values.length === 0 ? "no blond man among the test images" : percentText(mean(values));
  return judged(claim, comparisons, {
    margin,
    evidence: [`blond men with γ = 0.7: ${own}, published ${percentText(firstLffBlondMen)}`],
  });
}
