/** Findings about how strong the bias is, and how models are tuned. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { comparedMethods } from "../compared-methods.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { trainedDifference } from "../plateau.ts";
import { atChance, unbiasedOf } from "../summaries.ts";
import { bestPair, claims } from "./claims.ts";
import { casesNamed, chance, seriesOf } from "./method-findings.ts";

export function settingFindings(
  strength: readonly MeasuredCase[],
  hyperparameters: readonly MeasuredCase[],
  margin: number,
) {
  return {
    strength: strengthFinding(strength, margin),
    tuning: tuningFinding(hyperparameters, margin),
  };
}

function strengthFinding(cases: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.strength;
  const series = seriesOf(cases, ({ at }) => at!.pBias!);
  if (series.length === 0) return untold(claim, "no method was run at two strengths");
  if (series.every(([weakest]) => atChance(weakest!, chance)))
    return untold(claim, "every method is near chance even at the weakest bias");
  const comparisons = series.map((own): JudgedDifference => {
    const [first, last] = [own[0]!, own.at(-1)!];
    return {
      name: `${first.method} at ${last.at!.pBias} less at ${first.at!.pBias}`,
      ...trainedDifference([last], [first]),
      expected: "below",
    };
  });
  const evidence = series.map((own) => {
    const values = own.map(({ at, runs }) => `${percentText(mean(unbiasedOf(runs)))} at ${at!.pBias}`);
    return `${own[0]!.method}: ${values.join(", ")}`;
  });
  return judged(claim, comparisons, { margin, evidence });
}

function tuningFinding(cases: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.tuning;
  const isBest = ({ at }: MeasuredCase) =>
    at!.rate === bestPair.rate && at!.weightDecay === bestPair.weightDecay;
  const methods = comparedMethods
    .filter(({ label }) => label !== "UpWt")
    .map(({ label }) => casesNamed(cases, label))
    .map((own) => ({ best: own.find(isBest), others: own.filter((each) => !isBest(each)) }));
  const comparisons = methods.flatMap(({ best, others }) =>
    best === undefined
      ? []
      : others.map(
          (other): JudgedDifference => ({
            name: `${best.method}, that pair less ${other.at!.rate} with ${other.at!.weightDecay}`,
            ...trainedDifference([best], [other]),
            expected: "above",
          }),
        ),
  );
  if (comparisons.length === 0) return untold(claim, "no method was run with that pair and another");
  return judged(claim, comparisons, { margin, evidence: [] });
}
