/** What the paper found of training on its dataset, looked for in our runs by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { trainedDifference, trainedValues } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { atChance, partNamed } from "../summaries.ts";
import { backgroundCost, categoryOf } from "./categories.ts";
import { baseline, rowNames } from "./plan.ts";
import type { TrainedPreset } from "./presets.ts";

export const claims = {
  order: "Hard groups are recognised less often than medium ones, and these less often than easy ones",
  hard: "The fewer of the training images are of hard groups, the less often these are recognised",
  easy: "Easy groups are recognised as often whichever groups are trained on",
  background: "Trained on all groups alike, a network loses less to another class's background",
  refitHard: "Deep feature reweighting recognises hard groups more often than the standard model",
  refitEasy: "Deep feature reweighting recognises easy groups less often than the standard model",
  refitAll: "Over all groups deep feature reweighting is level with the standard model",
  jtt: "Just train twice recognises less than the standard model",
  young: "The longer the standard model was trained, the less its last layer is worth when it is fitted anew",
  grown: "The standard model itself becomes better meanwhile",
};

type TrainedClaim = keyof typeof claims;
type Of = (run: MeasuredRun) => number | null;

const category =
  (name: Parameters<typeof categoryOf>[1]): Of =>
  (run) =>
    categoryOf(run, name);
const step =
  (one: "medium" | "hard", other: "easy" | "medium"): Of =>
  (run) => {
    const [a, b] = [categoryOf(run, one), categoryOf(run, other)];
    return a === null || b === null ? null : a - b;
  };

export function trainedFindings(
  measured: readonly Measured[],
  { margin }: RegisteredPlan,
  { classes }: Pick<TrainedPreset, "classes">,
): Finding[] {
  const methods = partNamed(measured, "methods");
  const standard = methods.find(({ method }) => method === baseline);
  const none = (why: string) => Object.values(claims).map((claim) => untold(claim, why));
  if (standard === undefined) return none(`${baseline} has no finished run`);
  if (atChance(standard, 1 / classes)) return none(`${baseline} is within five points of chance`);
  const rowsOf = (name: string) => methods.filter(({ method }) => method.startsWith(name));
  const against = (
    name: string,
    of: Of,
    about: string,
    expected: JudgedDifference["expected"],
    holds?: JudgedDifference["holds"],
  ): JudgedDifference[] => {
    const rows = rowsOf(name);
    const named = rows.length === 0 ? [{ method: name, cases: [] }] : rows.map(namedRow);
    return named.map(({ method, cases }) => ({
      name: `${method} less ${baseline}, ${about}`,
      ...trainedDifference(cases, [standard], of),
      expected,
      ...(holds && { holds }),
    }));
  };
  const comparisons: Readonly<Record<TrainedClaim, readonly JudgedDifference[]>> = {
    order: (["medium", "hard"] as const).map((name) => {
      const other = name === "medium" ? "easy" : "medium";
      return {
        name: `${baseline}, ${name} less ${other}`,
        ...trainedValues(standard, step(name, other)),
        expected: "below" as const,
      };
    }),
    hard: [
      ...against(rowNames.easy, category("hard"), "hard", "below"),
      ...against(rowNames.all, category("hard"), "hard", "above"),
    ],
    easy: [rowNames.easy, rowNames.all].flatMap((name) =>
      against(name, category("easy"), "easy", "above", ["equivalent"]),
    ),
    background: against(rowNames.all, backgroundCost, "random less original backgrounds", "above"),
    refitHard: against(rowNames.dfr, category("hard"), "hard", "above"),
    refitEasy: against(rowNames.dfr, category("easy"), "easy", "below"),
    refitAll: against(rowNames.dfr, category("all"), "all groups", "above", ["equivalent"]),
    jtt: against("JTT", category("all"), "all groups", "below"),
    young: [ageing(measured, rowNames.dfr, "below")],
    grown: [ageing(measured, baseline, "above")],
  };
  return (Object.keys(claims) as TrainedClaim[]).map((name) =>
    judged(claims[name], comparisons[name], { margin, evidence: [] }),
  );
}

const namedRow = (row: MeasuredCase) => ({ method: row.method, cases: [row] });

/** The oldest less the youngest. A standard model that is still young need not have come to rest: that it has not is what is asked. */
function ageing(
  measured: readonly Measured[],
  method: string,
  expected: JudgedDifference["expected"],
): JudgedDifference {
  const old = partNamed(measured, "methods").find((each) => each.method === method);
  const young = youngestOf(partNamed(measured, "ages"), method);
  const name = `${method} on the oldest less the youngest standard model, all groups`;
  if (old === undefined || young === undefined)
    return { name, values: [], open: "one of them has no finished run", expected };
  const of = category("all");
  const values = old.runs.flatMap((run) => {
    const other = young.runs.find(({ seed }) => seed === run.seed);
    const [a, b] = [of(run), other ? of(other) : null];
    return a === null || b === null ? [] : [a - b];
  });
  return { name, values, expected };
}

function youngestOf(cases: readonly MeasuredCase[], method: string): MeasuredCase | undefined {
  const own = cases.filter((each) => each.method === method);
  return own.toSorted((a, b) => a.at!.epochs! - b.at!.epochs!)[0];
}
