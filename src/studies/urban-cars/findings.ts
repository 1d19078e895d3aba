/** What Li et al. 2023 found on UrbanCars, looked for in our runs by rules that were written before. */

import type { Finding, FindingVerdict } from "../../core/section.ts";
import { type MoleVerdict, moleSentence } from "../../metrics/moles/index.ts";
import type { Selection } from "../../training/selection.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { counted, judged, untold } from "../judge.ts";
import { gapOf, gapsBy, honestRule, oracleRule } from "../moles/standings.ts";
import { untrainedWords } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { partNamed } from "../summaries.ts";
import { comparedRows, honest, isUntrained, paperRule, type RuleOf } from "./compared.ts";
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

/** A claim about verdicts: of which methods and cues, which verdicts are for it and which against; others leave it open. */
interface VerdictClaim {
  of: (each: MeasuredCase) => readonly CarCue[];
  for: readonly MoleVerdict[];
  against: readonly MoleVerdict[];
}

const more = { for: ["amplified"], against: ["reduced", "equal"] } as const;
const ofMethods = (labels: readonly string[], asked: readonly CarCue[]) => (each: MeasuredCase) =>
  each.explicit.length === 0 && labels.includes(each.method) ? asked : [];

const verdictClaims: Readonly<Record<Exclude<keyof typeof claims, "both">, VerdictClaim>> = {
  cutmix: { of: ofMethods(["CutMix"], ["background"]), ...more },
  guessed: { of: ofMethods(guessing, ["coObject"]), ...more },
  other: {
    of: ({ explicit }) => (explicit.length === 1 ? cues.filter((cue) => !explicit.includes(cue)) : []),
    ...more,
  },
  told: {
    of: ({ explicit }) => (explicit.length === cues.length ? cues : []),
    for: ["reduced"],
    against: ["amplified", "equal", "worse everywhere"],
  },
  ensemble: { of: ofMethods(["LLE"], cues), for: ["reduced", "equal"], against: ["amplified"] },
};

/** For plans. */
export function verdictRule(claim: keyof typeof verdictClaims): string {
  const { for: holds, against } = verdictClaims[claim];
  return (
    `Of each such method and cue, the verdict beside ${baseline} (docs/metrics.md). Seen: every one is ${holds.join(" or ")}. ` +
    `${holds.includes("equal") ? "" : "Equivalent to none: every one is equal. "}Contradicted: one is ${against.join(" or ")}. ` +
    `Else${against.includes("worse everywhere") ? "" : ", worse everywhere among it,"} it cannot be told`
  );
}

export function urbanCarsFindings(parts: readonly Measured[], { margin }: RegisteredPlan): Finding[] {
  const tables = [partNamed(parts, "untold"), partNamed(parts, "told")];
  const standard = tables.flat().find(({ method }) => method === baseline);
  const none = (why: string) => Object.values(claims).map((claim) => untold(claim, why));
  if (standard === undefined) return none("the standard model has no finished run");
  if (isUntrained(standard)) return none("the standard model is near chance");
  const [paper, other] = [paperRule, honest].map((rule: RuleOf) =>
    tables
      .flatMap((cases) => comparedRows(cases, rule, margin))
      .filter(({ case: { method } }) => method !== baseline),
  );
  const byVerdicts = (name: keyof typeof verdictClaims): Finding => {
    const claim = verdictClaims[name];
    const under = (rows: ReturnType<typeof comparedRows>): Finding => {
      const asked = rows.filter((row) => claim.of(row.case).length > 0);
      if (asked.length === 0) return untold(claims[name], "none of them has a finished run");
      const verdicts = asked.flatMap((row) => claim.of(row.case).map((cue) => verdictOn(row, cue)));
      const words = asked.map(({ case: each, judged }) =>
        judged
          ? `${nameOf(each)}: ${moleSentence(judged)}`
          : `${nameOf(each)}: ${untrainedWords([each, standard]) ?? "no seed has both"}.`,
      );
      return { claim: claims[name], verdict: outcomeOf(claim, verdicts), evidence: words.join(" ") };
    };
    return beside(under(paper!), under(other!));
  };
  return [
    bothFinding(standard, margin),
    ...(Object.keys(verdictClaims) as (keyof typeof verdictClaims)[]).map(byVerdicts),
  ];
}

function verdictOn({ judged }: ReturnType<typeof comparedRows>[number], cue: CarCue): MoleVerdict | null {
  return judged?.cues.find((one) => one.cues.length === 1 && one.cues[0] === cue)?.verdict ?? null;
}

function outcomeOf(claim: VerdictClaim, verdicts: readonly (MoleVerdict | null)[]): FindingVerdict {
  if (!claim.for.includes("equal") && verdicts.every((verdict) => verdict === "equal"))
    return "equivalent to none";
  return counted(
    verdicts.map((verdict) => {
      if (verdict === null) return "open";
      return claim.for.includes(verdict) ? "for" : claim.against.includes(verdict) ? "against" : "open";
    }),
  );
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
      ? "The same with epochs chosen by no labels but those a method was given"
      : `But with epochs chosen by no labels but those a method was given: ${other.verdict} (${other.evidence})`;
  return { ...paper, evidence: `${paper.evidence.replace(/[.;]?$/, ".")} ${words}` };
}

export function nameOf({ method, explicit }: MeasuredCase): string {
  return explicit.length === 0 ? method : `${method} told ${explicit.join(" + ")}`;
}
