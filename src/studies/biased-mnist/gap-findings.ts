/** Findings about which variables are exploited, by whom, and whether they are the same with every seed. */

import type { Finding } from "../../core/section.ts";
import { mean, spearman } from "../../core/statistics/index.ts";
import { fixedText } from "../../core/words.ts";
import { tableA4 } from "../../published/shrestha-2022.ts";
import { allForms, baseline, comparedMethods } from "../compared-methods.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { trainedDifference, trainedValues, untrainedWords } from "../plateau.ts";
import { differencesOf, estimateOf, mmdsOf, points, type SeedEstimate, seedMeans } from "../summaries.ts";
import { claims, mitigating } from "./claims.ts";
import { exploited, gapOf, meanGap, publishedOf, publishedToldGap, toldGapOf, toldGaps } from "./gaps.ts";
import { casesNamed } from "./method-findings.ts";
import { variables, variableTitle } from "./variables.ts";

export function gapFindings(
  methods: readonly MeasuredCase[],
  repeats: readonly MeasuredCase[],
  margin: number,
) {
  return {
    exploitation: exploitationFinding(methods, margin),
    position: positionFinding(methods, margin),
    explicit: explicitFinding(methods, margin),
    smallest: smallestFinding(methods, margin),
    seeds: seedsFinding(methods, margin),
    environments: environmentsFinding(methods, margin),
    repeats: repeatsFinding(repeats, margin),
  };
}

function exploitationFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.exploitation;
  const [standard] = casesNamed(methods, baseline);
  if (!standard) return untold(claim, "the standard model has no finished run");
  const gaps = variables.map((variable) =>
    estimateOf(mmdsOf(standard.runs, variable), gapMargin(standard.runs)),
  );
  if (gaps.every(({ value, margin: chanceAlone }) => Math.abs(value) <= chanceAlone))
    return untold(claim, noGaps(gaps));
  const evidence = variables.map(
    (variable, i) => `${variableTitle(variable).toLowerCase()} ${points(gaps[i]!.value)}`,
  );
  const comparisons = exploited.flatMap((variable): JudgedDifference[] => {
    const title = variableTitle(variable).toLowerCase();
    const less = (run: MeasuredRun) => {
      const [gap, position] = [gapOf(run, variable), gapOf(run, "digitPosition")];
      return gap === null || position === null ? null : gap - position;
    };
    return [
      {
        name: `gap of ${title}`,
        ...trainedValues(standard, (run) => gapOf(run, variable)),
        expected: "above",
      },
      {
        name: `gap of ${title} less that of position`,
        ...trainedValues(standard, less),
        expected: "above",
      },
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

/** The paper takes the few points that Table A4 has for none. */
function positionFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.position;
  const untoldCases = allForms
    .map(({ label }) => ({
      label,
      cases: casesNamed(methods, label).filter(({ explicit }) => !explicit.includes("digitPosition")),
    }))
    .filter(({ cases }) => cases.length > 0);
  if (untoldCases.length === 0) return untold(claim, "no method has a finished run");
  const comparisons = untoldCases.map(({ label, cases }): JudgedDifference => {
    const open = untrainedWords(cases);
    return {
      name: `${label}, gap of position`,
      values: open === undefined ? meansOf(cases, (run) => gapOf(run, "digitPosition")) : [],
      ...(open !== undefined && { open }),
      expected: "above",
      holds: ["equivalent"],
    };
  });
  const { majority, minority } = publishedOf(tableA4, { method: baseline, explicit: [] })!.cues
    .digitPosition!;
  return judged(claim, comparisons, {
    margin,
    evidence: [`published, ${baseline}: ${points((majority - minority) / 100)} points`],
  });
}

function meansOf(cases: readonly MeasuredCase[], of: (run: MeasuredRun) => number | null): number[] {
  return seedMeans(cases, of).map(({ value }) => value);
}

function explicitFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.explicit;
  const [standard] = casesNamed(methods, baseline);
  const told = methods.filter(({ explicit }) => explicit.length === 1);
  if (!told.some(({ method }) => mitigating.includes(method)))
    return untold(claim, "none of them has a finished run");
  const known = told.filter((each) => toldGaps(each).length > 0);
  const judgedCases = known.filter(({ method }) => mitigating.includes(method));
  const elsewhere = judgedCases.map((each) =>
    estimateOf(
      toldGaps(each).map(({ others }) => others),
      gapMargin(each.runs),
    ),
  );
  if (elsewhere.every(({ value, margin: chanceAlone }) => value <= chanceAlone))
    return untold(claim, elsewhere.length === 0 ? "no gap is known" : noGaps(elsewhere));
  const evidence = known.map((each) => {
    const [variable] = each.explicit as [string];
    const gaps = toldGaps(each);
    const before = standard === undefined ? [] : mmdsOf(standard.runs, variable);
    const reference = before.length === 0 ? "" : ` (${baseline} ${points(mean(before))})`;
    const [own, others] = [mean(gaps.map((gap) => gap.own)), mean(gaps.map((gap) => gap.others))];
    return (
      `${each.method} told ${variableTitle(variable).toLowerCase()}: ${points(own)} points there${reference}, ` +
      `${points(others)} on the others but position`
    );
  });
  const comparisons = judgedCases.map(
    (each): JudgedDifference => ({
      name: `${each.method}, other gaps less that of ${variableTitle(each.explicit[0]!).toLowerCase()}`,
      // Seed by seed, since both gaps are of one network.
      ...trainedValues(each, (run) => lessTold(each, run)),
      expected: "above",
    }),
  );
  return judged(claim, comparisons, { margin, evidence });
}

/** Mean gap of the others less that of the told variable. */
function lessTold(each: MeasuredCase, run: MeasuredRun): number | null {
  const gaps = toldGapOf(each, run);
  return gaps === null ? null : gaps.others - gaps.own;
}

function smallestFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.smallest;
  const own = casesNamed(methods, "LfF");
  if (own.length === 0) return untold(claim, "it has no finished run");
  const others = comparedMethods
    .filter(({ label }) => label !== "LfF")
    .map(({ label }) => ({ label, cases: casesNamed(methods, label) }))
    .filter(({ cases }) => cases.length > 0);
  if (others.length === 0) return untold(claim, "no other method has a finished run");
  const ofAll = (run: MeasuredRun) => meanGap(run, variables);
  const comparisons = others.map(
    ({ label, cases }): JudgedDifference => ({
      name: `mean gap of LfF less that of ${label}`,
      ...trainedDifference(own, cases, ofAll),
      expected: "below",
    }),
  );
  const evidence = [{ label: "LfF", cases: own }, ...others].map(
    ({ label, cases }) => `${label} ${points(mean(meansOf(cases, ofAll)))}`,
  );
  return judged(claim, comparisons, { margin, evidence: [`mean gaps in points: ${evidence.join(", ")}`] });
}

/** A rank correlation below which two seeds exploit different variables rather than the same. */
const alike = 0.5;

function seedsFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.seeds;
  const several = methods.filter((each) => each.runs.length > 1 && untrainedWords([each]) === undefined);
  if (several.length === 0) return untold(claim, "no method that is trained has two seeds");
  const agreements = several.map((each) => agreementsOf(each));
  const seeds = [...new Set(several.flatMap(({ runs }) => runs.map(({ seed }) => seed)))];
  const values = seeds.flatMap((seed) => {
    const own = agreements.flatMap((each) => each.find((one) => one.seed === seed)?.rho ?? []);
    return own.length === 0 ? [] : [mean(own) - alike];
  });
  const evidence = several.map(({ method, explicit }, i) => {
    const own = agreements[i]!.map(({ rho }) => rho);
    const told = explicit.map((variable) => ` told ${variableTitle(variable).toLowerCase()}`).join("");
    return `${method}${told} ${own.length === 0 ? "not defined" : fixedText(mean(own), 2).replace("-", "−")}`;
  });
  const comparison: JudgedDifference = {
    name: `rank correlation less ${alike}, in hundredths for points`,
    values,
    expected: "below",
  };
  return judged(claim, [comparison], {
    margin,
    evidence: [`rank correlation of a seed's gaps with the others': ${evidence.join(", ")}`],
  });
}

/** Spearman's ρ of each seed's gaps, but of position, with the means over the other seeds. */
function agreementsOf({ runs }: MeasuredCase): { seed: number; rho: number }[] {
  return runs.flatMap((run) => {
    const others = runs.filter((other) => other !== run);
    const pairs = exploited.flatMap((variable) => {
      const own = gapOf(run, variable);
      const rest = others.flatMap((other) => gapOf(other, variable) ?? []);
      return own === null || rest.length < others.length ? [] : [{ own, rest: mean(rest) }];
    });
    const [x, y] = [pairs.map(({ own }) => own), pairs.map(({ rest }) => rest)];
    const varies = (values: readonly number[]) => new Set(values).size > 1;
    return pairs.length >= 3 && varies(x) && varies(y) ? [{ seed: run.seed, rho: spearman(x, y).rho }] : [];
  });
}

function environmentsFinding(methods: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.environments;
  const pairs = casesNamed(methods, "IRMv1 by cues").flatMap((byCues) => {
    const byGroups = casesNamed(methods, "IRMv1").find(
      ({ explicit }) => explicit.join() === byCues.explicit.join(),
    );
    const published = publishedToldGap(byCues);
    return byGroups === undefined || published === undefined ? [] : [{ byCues, byGroups, published }];
  });
  if (pairs.length === 0) return untold(claim, "one of the two has no finished run");
  // Trained or not: two forms of one method after as many steps, and about gaps.
  const comparisons = pairs.map(({ byCues, byGroups, published }): JudgedDifference => {
    const from = (each: MeasuredCase) => (run: MeasuredRun) => {
      const less = lessTold(each, run);
      return less === null ? null : Math.abs(less - (published.others - published.own));
    };
    const groups = seedMeans([byGroups], from(byGroups));
    const values = seedMeans([byCues], from(byCues)).flatMap(({ seed, value }) => {
      const other = groups.find((each) => each.seed === seed);
      return other === undefined ? [] : [value - other.value];
    });
    return {
      name: `told ${variableTitle(byCues.explicit[0]!).toLowerCase()}: distance by cues less distance by groups`,
      values,
      expected: "below",
    };
  });
  const evidence = pairs.map(({ byCues, byGroups, published }) => {
    const words = ({ own, others }: { own: number; others: number }) =>
      `${points(own)} and ${points(others)}`;
    const ours = (each: MeasuredCase) => {
      const gaps = toldGaps(each);
      if (gaps.length === 0) return "not known";
      return words({
        own: mean(gaps.map(({ own }) => own)),
        others: mean(gaps.map(({ others }) => others)),
      });
    };
    return (
      `gaps of ${variableTitle(byCues.explicit[0]!).toLowerCase()} and of the others in points: by cues ${ours(byCues)}, ` +
      `by groups ${ours(byGroups)}, published ${words(published)}`
    );
  });
  return judged(claim, comparisons, { margin, evidence });
}

function repeatsFinding(repeats: readonly MeasuredCase[], margin: number): Finding {
  const claim = claims.repeats;
  const [few, many] = [...casesNamed(repeats, "GDRO")].sort((a, b) => a.at!.images! - b.at!.images!);
  if (few === undefined || many === undefined)
    return untold(claim, "one of the two lengths has no finished run");
  const own = (each: MeasuredCase) => (run: MeasuredRun) => toldGapOf(each, run)?.own ?? null;
  const shown = (each: MeasuredCase) =>
    `${points(mean(toldGaps(each).map((gap) => gap.own)))} points with ${each.at!.images!.toLocaleString("en")} images`;
  // Trained or not: it is one method after as many steps, and about a gap.
  const comparisons: JudgedDifference[] = [
    {
      name: "gap of the told variable, few images",
      values: few.runs.flatMap((run) => own(few)(run) ?? []),
      expected: "above",
    },
    {
      name: "the same less with many images",
      values: differencesOf([few], [many], own(few)),
      expected: "above",
    },
  ];
  return judged(claim, comparisons, { margin, evidence: [`${shown(few)}, ${shown(many)}`] });
}
