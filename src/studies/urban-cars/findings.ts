/** What Li et al. 2023 found on UrbanCars, looked for in our runs by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import type { Selection } from "../../training/selection.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { type DifferenceValues, type JudgedDifference, judged, untold } from "../judge.ts";
import { gapOf, gapsBy, honestRule, isNearChance, oracleRule } from "../moles/standings.ts";
import { untrainedWords } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { partNamed } from "../summaries.ts";
import { baseline, type CarCue, cues } from "./rows.ts";

export const claims = {
  both: "The standard model takes both shortcuts",
  cutmix: "CutMix leans on the background more than the standard model",
  guessed:
    "Methods that guess groups from a network of one epoch, and LfF, lean on the object more than the standard model",
  other: "Told one cue, a method leans on the other more than the standard model",
  told: "Told both cues, methods lean on each less than the standard model",
  ensemble: "Last Layer Ensemble leans on neither cue more than the standard model",
};

/** Of Table 3, those whose object gap grew. */
const guessing = ["LfF", "JTT (E=1)", "EIIL (E=1)"];

/** Two classes. */
const chance = 0.5;

/** A case's rule, and the baseline's that goes with it. */
export type RuleOf = (each: MeasuredCase) => { own: Selection; baseline: Selection };

/** As the paper: the worst of all groups, or of those that are told; the baseline is chosen likewise, section by section. */
export const paperRule: RuleOf = ({ explicit }) => {
  const rule = explicit.length === 0 ? oracleRule(cues) : oracleRule(explicit);
  return { own: rule, baseline: rule };
};

/** With no labels but those that each was given. */
export const honest: RuleOf = ({ explicit }) => ({ own: honestRule(explicit), baseline: honestRule([]) });

/** Whether nothing beside the standard model means anything. */
export function isUntrained(standard: MeasuredCase): boolean {
  return isNearChance(standard, oracleRule(cues), chance);
}

export function urbanCarsFindings(parts: readonly Measured[], { margin }: RegisteredPlan): Finding[] {
  const cases = [...partNamed(parts, "untold"), ...partNamed(parts, "told")].filter(
    // The baseline stands in both parts.
    (each, i, all) => each.method !== baseline || all.findIndex(({ method }) => method === baseline) === i,
  );
  const standard = cases.find(({ method }) => method === baseline);
  if (standard === undefined)
    return Object.values(claims).map((claim) => untold(claim, "the standard model has no finished run"));
  if (isUntrained(standard))
    return Object.values(claims).map((claim) => untold(claim, "the standard model is near chance"));
  const named = (...labels: string[]) => cases.filter(({ method }) => labels.includes(method));
  const compared = (
    claim: string,
    asked: readonly {
      case: MeasuredCase;
      cue: CarCue;
      expected: JudgedDifference["expected"];
      holds?: JudgedDifference["holds"];
    }[],
  ): Finding => {
    if (asked.length === 0) return untold(claim, "none of them has a finished run");
    const under = (rule: RuleOf) =>
      judged(
        claim,
        asked.map(({ case: each, cue, expected, holds }) => ({
          name: `${nameOf(each)}, gap of ${cue} less that of ${baseline}`,
          ...changesOf(each, standard, rule, cue),
          expected,
          ...(holds && { holds }),
        })),
        { margin, evidence: [] },
      );
    return beside(under(paperRule), under(honest));
  };
  const toldOne = cases.filter(({ explicit }) => explicit.length === 1);
  const toldBoth = cases.filter(({ explicit }) => explicit.length === cues.length);
  const each = (some: readonly MeasuredCase[], on: readonly CarCue[]) =>
    some.flatMap((one) => on.map((cue) => ({ case: one, cue })));
  return [
    bothFinding(standard, margin),
    compared(
      claims.cutmix,
      each(named("CutMix"), ["background"]).map((one) => ({ ...one, expected: "below" as const })),
    ),
    compared(
      claims.guessed,
      each(named(...guessing), ["coObject"]).map((one) => ({ ...one, expected: "below" as const })),
    ),
    compared(
      claims.other,
      toldOne.map((one) => ({
        case: one,
        cue: cues.find((cue) => !one.explicit.includes(cue))!,
        expected: "below" as const,
      })),
    ),
    compared(
      claims.told,
      each(toldBoth, cues).map((one) => ({ ...one, expected: "above" as const })),
    ),
    compared(
      claims.ensemble,
      each(named("LLE"), cues).map((one) => ({
        ...one,
        expected: "above" as const,
        holds: ["seen", "equivalent"] as const,
      })),
    ),
  ];
}

function bothFinding(standard: MeasuredCase, margin: number): Finding {
  const open = untrainedWords([standard]);
  const under = (rule: Selection) =>
    judged(
      claims.both,
      cues.map((cue) => ({
        name: `${baseline}, gap of ${cue}`,
        ...(open === undefined
          ? { values: gapsBy(standard, rule).flatMap(({ gaps }) => gapOf(gaps, [cue]) ?? []) }
          : { values: [], open }),
        expected: "below" as const,
      })),
      { margin, evidence: [] },
    );
  return beside(under(oracleRule(cues)), under(honestRule([])));
}

/** Under the paper's rule; what the other says stands behind it. */
function beside(paper: Finding, other: Finding): Finding {
  const words =
    paper.verdict === other.verdict
      ? "the same with epochs chosen by no labels but those a method was given"
      : `but with epochs chosen by no labels but those a method was given: ${other.verdict} (${other.evidence})`;
  return { ...paper, evidence: `${paper.evidence}; ${words}` };
}

/** Seed by seed; none where one of them is untrained. */
function changesOf(each: MeasuredCase, standard: MeasuredCase, rule: RuleOf, cue: CarCue): DifferenceValues {
  const open = untrainedWords([each, standard]);
  if (open !== undefined) return { values: [], open };
  const { own, baseline } = rule(each);
  const theirs = new Map(gapsBy(standard, baseline).map(({ seed, gaps }) => [seed, gapOf(gaps, [cue])]));
  const values = gapsBy(each, own).flatMap(({ seed, gaps }) => {
    const [one, other] = [gapOf(gaps, [cue]), theirs.get(seed) ?? null];
    return one === null || other === null ? [] : [one - other];
  });
  return { values };
}

export function nameOf({ method, explicit }: MeasuredCase): string {
  return explicit.length === 0 ? method : `${method} told ${explicit.join(" + ")}`;
}
