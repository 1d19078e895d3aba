/** What the paper found on Biased MNIST, looked for in our runs and told whichever way it comes out. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import { baseline, comparedMethods } from "../compared-methods.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import {
  atChance,
  differencesOf,
  estimateOf,
  mmdsOf,
  partNamed,
  points,
  type SeedEstimate,
  unbiasedOf,
} from "../summaries.ts";
import { variables, variableTitle } from "./variables.ts";

/** What always guessing would get. */
const chance = 0.1;

/** Those of which the paper says it (section 6.2); the others are told beside them. */
const mitigating = ["UpWt", "GDRO", "RUBi"];

export const claims = {
  strength: "Unbiased accuracy falls as the bias grows",
  exploitation: "The standard model exploits every variable, position least or not at all",
  explicit: `Told one variable, ${mitigating.join(", ")} have a smaller gap there than on the others`,
  implicit: "Learning from failure beats the standard model",
  growing:
    "Explicit methods do not scale: told more variables they do no better, and stay below the standard model",
};

export function biasedMnistFindings(parts: readonly Measured[], { margin }: RegisteredPlan): Finding[] {
  const methods = partNamed(parts, "methods");
  const standard = methods.find(({ method }) => method === baseline);
  return [
    strengthFinding(partNamed(parts, "strength"), margin),
    exploitationFinding(standard, margin),
    explicitFinding(methods, standard, margin),
    implicitFinding(methods, standard, margin),
    growingFinding(partNamed(parts, "growing"), standard, margin),
  ];
}

/** Each method's cases in the order of what is varied; those with two at least. */
function seriesOf(cases: readonly MeasuredCase[], order: (one: MeasuredCase) => number): MeasuredCase[][] {
  return comparedMethods
    .map(({ label }) => cases.filter(({ method }) => method === label))
    .map((own) => own.toSorted((a, b) => order(a) - order(b)))
    .filter((own) => own.length > 1);
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
      values: differencesOf(last.runs, first.runs),
      expected: "below",
    };
  });
  const evidence = series.map((own) => {
    const values = own.map(({ at, runs }) => `${percentText(mean(unbiasedOf(runs)))} at ${at!.pBias}`);
    return `${own[0]!.method}: ${values.join(", ")}`;
  });
  return judged(claim, comparisons, { margin, evidence });
}

function exploitationFinding(standard: MeasuredCase | undefined, margin: number): Finding {
  const claim = claims.exploitation;
  if (!standard) return untold(claim, "the standard model has no finished run");
  const { runs } = standard;
  const gaps = variables.map((variable) => estimateOf(mmdsOf(runs, variable), gapMargin(runs)));
  if (gaps.every(({ value, margin: chanceAlone }) => Math.abs(value) <= chanceAlone))
    return untold(claim, noGaps(gaps));
  const others = variables.filter((variable) => variable !== "digitPosition");
  const evidence = variables.map(
    (variable, i) => `${variableTitle(variable).toLowerCase()} ${points(gaps[i]!.value)}`,
  );
  const comparisons = others.flatMap((variable): JudgedDifference[] => {
    const title = variableTitle(variable).toLowerCase();
    const own = ({ cues }: MeasuredRun) => cues[variable]?.mmd ?? null;
    const less = ({ cues }: MeasuredRun) => {
      const [gap, position] = [cues[variable]?.mmd, cues.digitPosition?.mmd];
      return typeof gap === "number" && typeof position === "number" ? gap - position : null;
    };
    const valuesOf = (of: (run: MeasuredRun) => number | null) => runs.flatMap((run) => of(run) ?? []);
    return [
      { name: `gap of ${title}`, values: valuesOf(own), expected: "above" },
      { name: `gap of ${title} less that of position`, values: valuesOf(less), expected: "above" },
    ];
  });
  return judged(claim, comparisons, { margin, evidence: [`gaps in points: ${evidence.join(", ")}`] });
}

/** Images with a class's own value are a tenth of the test set: of one seed they decide how exact a gap is. */
function gapMargin(runs: MeasuredCase["runs"]): number {
  const images = runs.reduce((sum, { count }) => sum + count, 0);
  return 2 * Math.sqrt(0.25 / (images / 10) + 0.25 / (0.9 * images));
}

function noGaps(gaps: readonly SeedEstimate[]): string {
  const margin = Math.max(...gaps.map((gap) => gap.margin));
  return `no gap is beyond the ±${points(margin)} points that may be chance`;
}

function explicitFinding(
  cases: readonly MeasuredCase[],
  standard: MeasuredCase | undefined,
  margin: number,
): Finding {
  const claim = claims.explicit;
  const told = cases.filter(({ explicit }) => explicit.length === 1);
  if (!told.some(({ method }) => mitigating.includes(method)))
    return untold(claim, "none of them has a finished run");
  const rows = told.map(({ method, explicit: [variable], runs }) => {
    // Position is hardly exploited by anyone, and would hide what happens to the rest.
    const rest = variables.filter((other) => other !== variable && other !== "digitPosition");
    const gaps = runs.flatMap((run) => {
      const own = run.cues[variable!]?.mmd;
      const others = rest.flatMap((cue) => run.cues[cue]?.mmd ?? []);
      return typeof own !== "number" || others.length < rest.length ? [] : [{ own, others: mean(others) }];
    });
    return { method, variable: variable!, runs, gaps };
  });
  const known = rows.filter(({ gaps }) => gaps.length > 0);
  const judgedRows = known.filter(({ method }) => mitigating.includes(method));
  const elsewhere = judgedRows.map(({ gaps, runs }) =>
    estimateOf(
      gaps.map(({ others }) => others),
      gapMargin(runs),
    ),
  );
  if (elsewhere.every(({ value, margin: chanceAlone }) => value <= chanceAlone))
    return untold(claim, elsewhere.length === 0 ? "no gap is known" : noGaps(elsewhere));
  const evidence = known.map(({ method, variable, gaps }) => {
    const before = standard === undefined ? [] : mmdsOf(standard.runs, variable);
    const reference = before.length === 0 ? "" : ` (${baseline} ${points(mean(before))})`;
    const [own, others] = [mean(gaps.map((gap) => gap.own)), mean(gaps.map((gap) => gap.others))];
    return (
      `${method} told ${variableTitle(variable).toLowerCase()}: ${points(own)} points there${reference}, ` +
      `${points(others)} on the others but position`
    );
  });
  const comparisons = judgedRows.map(
    ({ method, variable, gaps }): JudgedDifference => ({
      name: `${method}, other gaps less that of ${variableTitle(variable).toLowerCase()}`,
      // Seed by seed, since both gaps are of one network.
      values: gaps.map(({ own, others }) => others - own),
      expected: "above",
    }),
  );
  return judged(claim, comparisons, { margin, evidence });
}

function implicitFinding(
  cases: readonly MeasuredCase[],
  standard: MeasuredCase | undefined,
  margin: number,
): Finding {
  const claim = claims.implicit;
  const lff = cases.find(({ method }) => method === "LfF");
  if (!standard || !lff) return untold(claim, "one of the two has no finished run");
  if (atChance(standard, chance) && atChance(lff, chance)) return untold(claim, "both are near chance");
  const [ours, theirs] = [lff, standard].map(({ runs }) => percentText(mean(unbiasedOf(runs))));
  const values = differencesOf(lff.runs, standard.runs);
  return judged(claim, [{ name: `LfF less ${baseline}`, values, expected: "above" }], {
    margin,
    evidence: [`LfF ${ours}, ${baseline} ${theirs}`],
  });
}

function growingFinding(
  cases: readonly MeasuredCase[],
  standard: MeasuredCase | undefined,
  margin: number,
): Finding {
  const claim = claims.growing;
  const series = seriesOf(cases, ({ explicit }) => explicit.length);
  if (!standard) return untold(claim, "the standard model has no finished run");
  if (series.length === 0) return untold(claim, "no explicit method was run with two numbers of variables");
  if (atChance(standard, chance)) return untold(claim, "the standard model is near chance");
  const comparisons = series.flatMap((own): JudgedDifference[] => {
    const [fewest, most] = [own[0]!, own.at(-1)!];
    const told = `${most.method} told ${most.explicit.length}`;
    return [
      {
        name: `${told} less told ${fewest.explicit.length}`,
        values: differencesOf(most.runs, fewest.runs),
        expected: "below",
        // No better is as good as worse.
        holds: ["seen", "equivalent"],
      },
      {
        name: `${told} less ${baseline}`,
        values: differencesOf(most.runs, standard.runs),
        expected: "below",
      },
    ];
  });
  const evidence = series.map((own) => {
    const values = own.map(
      ({ explicit, runs }) => `${percentText(mean(unbiasedOf(runs)))} told ${explicit.length}`,
    );
    return `${own[0]!.method}: ${values.join(", ")}`;
  });
  const reference = `${baseline} ${percentText(mean(unbiasedOf(standard.runs)))}`;
  return judged(claim, comparisons, { margin, evidence: [reference, ...evidence] });
}
