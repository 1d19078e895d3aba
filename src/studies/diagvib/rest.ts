/** Whether runs had come to rest: a row that in some study had not is shown, and judged by nothing. */

import { pointsCell, type Row, type Table } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { hasSettled, lateRise, untrained } from "../plateau.ts";

/** Runs of one row in one study. */
interface RestingRuns {
  row: string;
  study: string;
  runs: number;
  /** Of those that early stopping has not ended, mean late rise; undefined of too few epochs, 0 where all were ended. */
  rise: number | undefined;
}

/** Early stopping ends a run because its loss has stopped falling. */
function restOf(cases: readonly MeasuredCase[], epochs: number): RestingRuns[] {
  const sets = new Map<string, MeasuredCase[]>();
  for (const each of cases.filter(({ runs }) => runs.length > 0)) {
    const key = keyOf(each);
    sets.set(key, [...(sets.get(key) ?? []), each]);
  }
  return [...sets.values()].map((own) => {
    const runs = own.flatMap((each) => each.runs);
    const rises = runs.map((run) => (run.validation.length < epochs ? 0 : lateRise(run)));
    const known = rises.flatMap((rise) => rise ?? []);
    return {
      row: own[0]!.method,
      study: own[0]!.about!.study!,
      runs: runs.length,
      rise: known.length === rises.length ? mean(known) : undefined,
    };
  });
}

/** What findings may rest on. */
export function restedCases(cases: readonly MeasuredCase[], epochs: number): MeasuredCase[] {
  const rested = new Set(
    restOf(cases, epochs)
      .filter(({ rise }) => hasSettled(rise))
      .map(({ row, study }) => JSON.stringify([row, study])),
  );
  return cases.filter((each) => rested.has(keyOf(each)));
}

function keyOf({ method, about }: MeasuredCase): string {
  return JSON.stringify([method, about!.study]);
}

export function restTable(name: string, cases: readonly MeasuredCase[], epochs: number): Table {
  return {
    name,
    caption:
      "Whether runs had come to rest: validation accuracy of the last fifth of the epochs less that of the fifth before, mean over runs; runs that early stopping ended count as 0. " +
      "From one point on findings leave the row out in this study",
    columns: ["Row", "Study", "Runs", "Late rise", "At rest"].map((title) => ({ title })),
    rows: restOf(cases, epochs).map(
      ({ row, study, runs, rise }): Row => ({
        cells: [
          row,
          study,
          { value: runs, text: String(runs) },
          rise === undefined ? "fewer than five epochs" : pointsCell(rise),
          hasSettled(rise) ? "yes" : untrained,
        ],
      }),
    ),
  };
}
