/**
 * Whether a method has been trained long enough to be compared: validation accuracy must have come to rest. One that has not is
 * untrained, and never ranked. For all studies.
 */

import { type Cell, pointsCell } from "../core/section.ts";
import { mean } from "../core/statistics/index.ts";
import type { MeasuredCase, MeasuredRun } from "./jobs/runs-job.ts";
import type { DifferenceValues } from "./judge.ts";
import { accuracyCell, differencesOf } from "./summaries.ts";

/** A rise from which on a method is untrained. */
const mostRise = 0.01;

/** In tables. */
export const untrained = "untrained";

/** For plans; `what` says of which validation images. */
export function plateauRule(what: string): string {
  return (
    `a method is untrained, and in no comparison whose rule does not say otherwise, where ${what} still rises by a point or more: mean of the last fifth of the ` +
    "epochs less that of the fifth before, mean over seeds; also where there are fewer than five epochs"
  );
}

/** Mean validation accuracy of the last fifth of the epochs less that of the fifth before; undefined for fewer than five epochs. */
export function lateRise({ validation }: Pick<MeasuredRun, "validation">): number | undefined {
  const fifth = Math.floor(validation.length / 5);
  if (fifth === 0) return undefined;
  return mean(validation.slice(-fifth)) - mean(validation.slice(-2 * fifth, -fifth));
}

/** What was trained with several seeds: networks, or last layers. */
interface TrainedSeeds {
  runs: readonly Pick<MeasuredRun, "validation">[];
}

/** The mean over seeds; undefined where it cannot be told of one. */
export function riseOf({ runs }: TrainedSeeds): number | undefined {
  const rises = runs.map(lateRise);
  return rises.length > 0 && rises.every((rise) => rise !== undefined) ? mean(rises) : undefined;
}

export function isTrained(each: TrainedSeeds & Pick<MeasuredCase, "solved">): boolean {
  return each.solved === true || hasSettled(riseOf(each));
}

export function hasSettled(rise: number | undefined): boolean {
  return rise !== undefined && rise < mostRise;
}

/** Of the cases themselves, why nothing is compared; undefined where all are trained. */
export function untrainedWords(
  cases: readonly Pick<MeasuredCase, "method" | "runs" | "solved">[],
): string | undefined {
  const names = cases.filter((each) => !isTrained(each)).map(({ method }) => `${method} is ${untrained}`);
  return names.length === 0 ? undefined : [...new Set(names)].join(", ");
}

/** Of one case, a value a seed; none where it is untrained. */
export function trainedValues(
  each: MeasuredCase,
  of: (run: MeasuredRun) => number | null | undefined,
): DifferenceValues {
  const open = untrainedWords([each]);
  return open === undefined ? { values: each.runs.flatMap((run) => of(run) ?? []) } : { values: [], open };
}

/** One less the other, seed by seed and mean over cases; none where one of them is untrained or missing. */
export function trainedDifference(
  one: readonly MeasuredCase[],
  other: readonly MeasuredCase[],
  of?: (run: MeasuredRun) => number | null,
): DifferenceValues {
  if (one.length === 0 || other.length === 0) return { values: [], open: "one of them has no finished run" };
  const open = untrainedWords([...one, ...other]);
  return open === undefined ? { values: differencesOf(one, other, of) } : { values: [], open };
}

/** The unbiased accuracy, or why there is none; what is untrained says so, and is never marked as best. */
export function trainedCell(each: MeasuredCase): Cell {
  const cell = accuracyCell(each);
  return typeof cell === "object" && cell !== null && "mean" in cell && !isTrained(each)
    ? { ...cell, remark: untrained }
    : cell;
}

/** How validation accuracy still rises, in points; words where that cannot be told. */
export function riseCell(cases: readonly TrainedSeeds[]): Cell {
  const rises = cases.map(riseOf);
  if (!rises.every((rise) => rise !== undefined)) return "fewer than five epochs";
  return pointsCell(Math.max(...rises));
}
