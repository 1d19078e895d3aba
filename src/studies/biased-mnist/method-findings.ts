/** Findings about methods' unbiased accuracy, beside the standard model's and each other's. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { baseline, comparedMethods } from "../compared-methods.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { trainedDifference } from "../plateau.ts";
import { atChance, seedMeans } from "../summaries.ts";
import { claims, manyTold } from "./claims.ts";

/** What always guessing would get. */
export const chance = 0.1;

export interface ComparedRuns {
  /** Told nothing, or one variable. */
  methods: readonly MeasuredCase[];
  growing: readonly MeasuredCase[];
  margin: number;
}

export function methodFindings(runs: ComparedRuns) {
  return {
    below: belowFinding(runs),
    upweighting: upweightingFinding(runs),
    implicit: implicitFinding(runs),
    level: levelFinding(runs),
    growing: growingFinding(runs),
    exceptions: exceptionsFinding(runs),
  };
}

export function casesNamed(cases: readonly MeasuredCase[], label: string): MeasuredCase[] {
  return cases.filter(({ method }) => method === label);
}

/** Each method's cases in the order of what is varied; those with two at least. */
export function seriesOf(
  cases: readonly MeasuredCase[],
  order: (one: MeasuredCase) => number,
): MeasuredCase[][] {
  return comparedMethods
    .map(({ label }) => casesNamed(cases, label))
    .map((own) => own.toSorted((a, b) => order(a) - order(b)))
    .filter((own) => own.length > 1);
}

/** Mean over the told variables and over seeds. */
function shown(cases: readonly MeasuredCase[]): string {
  return percentText(mean(seedMeans(cases).map(({ value }) => value)));
}

function standardOf({ methods }: ComparedRuns): MeasuredCase | undefined {
  return methods.find(({ method }) => method === baseline);
}

/** Why nothing is compared with the standard model; undefined where it can be. */
function withoutStandard(runs: ComparedRuns): string | undefined {
  const standard = standardOf(runs);
  if (standard === undefined) return "the standard model has no finished run";
  return atChance(standard, chance) ? "the standard model is near chance" : undefined;
}

function belowFinding(runs: ComparedRuns): Finding {
  const claim = claims.below;
  const why = withoutStandard(runs);
  if (why !== undefined) return untold(claim, why);
  const told = comparedMethods
    .filter(({ explicit }) => explicit)
    .map(({ label }) => ({ label, cases: casesNamed(runs.methods, label) }))
    .filter(({ cases }) => cases.length > 0);
  if (told.length === 0) return untold(claim, "no explicit method has a finished run");
  const standard = [standardOf(runs)!];
  const comparisons = told.map(
    ({ label, cases }): JudgedDifference => ({
      name: `${label} less ${baseline}`,
      ...trainedDifference(cases, standard),
      expected: "below",
    }),
  );
  const evidence = told.map(({ label, cases }) => `${label} ${shown(cases)}`).join(", ");
  return judged(claim, comparisons, {
    margin: runs.margin,
    evidence: [`${baseline} ${shown(standard)}, ${evidence}`],
  });
}

function upweightingFinding({ methods, margin }: ComparedRuns): Finding {
  const claim = claims.upweighting;
  const [upweighted, robust] = [casesNamed(methods, "UpWt"), casesNamed(methods, "GDRO")];
  if (upweighted.length === 0 || robust.length === 0)
    return untold(claim, "one of the two has no finished run");
  if ([...upweighted, ...robust].every((each) => atChance(each, chance)))
    return untold(claim, "both are near chance");
  const comparison: JudgedDifference = {
    name: "UpWt less GDRO",
    ...trainedDifference(upweighted, robust),
    expected: "above",
  };
  return judged(claim, [comparison], {
    margin,
    evidence: [`UpWt ${shown(upweighted)}, GDRO ${shown(robust)}`],
  });
}

function implicitFinding(runs: ComparedRuns): Finding {
  return besideStandard(claims.implicit, "LfF", runs, { expected: "above" });
}

function levelFinding(runs: ComparedRuns): Finding {
  return besideStandard(claims.level, "SD", runs, { expected: "above", holds: ["equivalent"] });
}

function besideStandard(
  claim: string,
  label: string,
  runs: ComparedRuns,
  how: Pick<JudgedDifference, "expected" | "holds">,
): Finding {
  const standard = standardOf(runs);
  const [own] = casesNamed(runs.methods, label);
  if (standard === undefined || own === undefined) return untold(claim, "one of the two has no finished run");
  if (atChance(standard, chance) && atChance(own, chance)) return untold(claim, "both are near chance");
  const comparison = { name: `${label} less ${baseline}`, ...trainedDifference([own], [standard]), ...how };
  return judged(claim, [comparison], {
    margin: runs.margin,
    evidence: [`${label} ${shown([own])}, ${baseline} ${shown([standard])}`],
  });
}

function growingFinding(runs: ComparedRuns): Finding {
  const claim = claims.growing;
  const series = seriesOf(runs.growing, ({ explicit }) => explicit.length);
  if (standardOf(runs) !== undefined && series.length === 0)
    return untold(claim, "no explicit method was run with two numbers of variables");
  const why = withoutStandard(runs);
  if (why !== undefined) return untold(claim, why);
  const standard = standardOf(runs)!;
  const comparisons = series.flatMap((own): JudgedDifference[] => {
    const [fewest, most] = [own[0]!, own.at(-1)!];
    const told = `${most.method} told ${most.explicit.length}`;
    return [
      {
        name: `${told} less told ${fewest.explicit.length}`,
        ...trainedDifference([most], [fewest]),
        expected: "below",
        // No better is as good as worse.
        holds: ["seen", "equivalent"],
      },
      {
        name: `${told} less ${baseline}`,
        ...trainedDifference([most], [standard]),
        expected: "below",
      },
    ];
  });
  const evidence = series.map((own) => {
    const values = own.map((each) => `${shown([each])} told ${each.explicit.length}`);
    return `${own[0]!.method}: ${values.join(", ")}`;
  });
  return judged(claim, comparisons, {
    margin: runs.margin,
    evidence: [`${baseline} ${shown([standard])}`, ...evidence],
  });
}

function exceptionsFinding(runs: ComparedRuns): Finding {
  const claim = claims.exceptions;
  const why = withoutStandard(runs);
  if (why !== undefined) return untold(claim, why);
  const standard = [standardOf(runs)!];
  const cases = runs.growing.filter(
    ({ method, explicit }) =>
      (method === "LNL" && explicit.length === 1) || (method === "UpWt" && explicit.length >= manyTold),
  );
  if (cases.length === 0) return untold(claim, "neither has a finished run");
  const comparisons = cases.map(
    (each): JudgedDifference => ({
      name: `${each.method} told ${each.explicit.length} less ${baseline}`,
      ...trainedDifference([each], standard),
      expected: "above",
    }),
  );
  return judged(claim, comparisons, { margin: runs.margin, evidence: [`${baseline} ${shown(standard)}`] });
}
