/** Gaps of told and untold variables, ours and the published ones alike. */

import { mean } from "../../core/statistics/index.ts";
import { type PublishedRow, tableA4 } from "../../published/shrestha-2022.ts";
import { publishedLabel } from "../compared-methods.ts";
import type { MeasuredCase, MeasuredRun, StudyCase } from "../jobs/runs-job.ts";
import { variables } from "./variables.ts";

/** Those that networks take up: position is hardly exploited by anyone, and would hide what happens to the rest. */
export const exploited = variables.filter((variable) => variable !== "digitPosition");

export function gapOf({ cues }: MeasuredRun, variable: string): number | null {
  return cues[variable]?.mmd ?? null;
}

/** Null where one of them is not known. */
export function meanGap(run: MeasuredRun, of: readonly string[]): number | null {
  const gaps = of.flatMap((variable) => gapOf(run, variable) ?? []);
  return gaps.length === of.length ? mean(gaps) : null;
}

/** The gap of the one variable that a method is told, and the mean of those that it is not, but position. */
export interface ToldGap {
  own: number;
  others: number;
}

export function toldGapOf({ explicit: [told] }: StudyCase, run: MeasuredRun): ToldGap | null {
  const others = meanGap(
    run,
    exploited.filter((variable) => variable !== told),
  );
  const own = told === undefined ? null : gapOf(run, told);
  return own === null || others === null ? null : { own, others };
}

export function toldGaps(each: MeasuredCase): (ToldGap & { seed: number })[] {
  return each.runs.flatMap((run) => {
    const gaps = toldGapOf(each, run);
    return gaps === null ? [] : [{ ...gaps, seed: run.seed }];
  });
}

/** The same of Table A4's rounded means. */
export function publishedToldGap(each: StudyCase): ToldGap | undefined {
  const row = publishedOf(tableA4, each);
  const [told] = each.explicit;
  if (row === undefined || told === undefined) return undefined;
  const gap = (variable: string) => (row.cues[variable]!.majority - row.cues[variable]!.minority) / 100;
  return { own: gap(told), others: mean(exploited.filter((variable) => variable !== told).map(gap)) };
}

export function publishedOf(
  rows: readonly PublishedRow[],
  { method, explicit }: Pick<StudyCase, "method" | "explicit">,
): PublishedRow | undefined {
  return rows.find(
    (row) =>
      row.method === publishedLabel(method) &&
      [...row.explicit].sort().join() === [...explicit].sort().join(),
  );
}
