/** Runs side by side: those that differ in the seed alone are one row, with mean and spread. */

import { decidingLeaves, differingLeaves } from "../core/spec-differences.ts";
import { mean, standardDeviation } from "../core/statistics/index.ts";
import type { StoredRun } from "../store/run-list.ts";
import { ranksOf } from "./table-formats.ts";

export interface ComparedCell {
  mean: number;
  /** Over seeds; undefined for a single run. */
  deviation: number | undefined;
  runs: number;
  /** Highest and second highest mean of its column. */
  rank: 1 | 2 | undefined;
}

export interface Comparison {
  /** Places in the spec that tell the rows apart, such as `method.name`. */
  fields: string[];
  /** Slices of the data, such as `test`. */
  slices: string[];
  rows: { values: string[]; runs: StoredRun[]; cells: (ComparedCell | undefined)[]; selection: string }[];
  /** Folders that hold a run which another folder holds already: one run is one run. */
  copies: string[];
}

export function compareRuns(found: readonly StoredRun[], chosen?: readonly string[]): Comparison {
  const runs = found.filter(({ id }, i) => found.findIndex((other) => other.id === id) === i);
  const copies = found.filter((run) => !runs.includes(run)).map(({ folder }) => folder);
  // Equal specs of different formats need not be equal runs.
  const flat = runs.map(({ spec, format }) => decidingLeaves({ ...spec, format }));
  const fields = differingLeaves(flat);
  const known = [...new Set(runs.flatMap(({ accuracy }) => accuracy.map(({ slice }) => slice)))];
  const slices = chosen === undefined ? known : known.filter((slice) => chosen.includes(slice));
  const groups = new Map<string, { values: string[]; runs: StoredRun[] }>();
  for (const [i, run] of runs.entries()) {
    const values = fields.map((field) => flat[i]!.get(field) ?? "–");
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { values, runs: [] };
    group.runs.push(run);
    groups.set(key, group);
  }
  const rows = [...groups.values()].map((group) => ({
    ...group,
    selection: [...new Set(group.runs.map(({ selection }) => selection?.rule ?? "–"))].join("; "),
    cells: slices.map((slice) => cellOf(group.runs, slice)),
  }));
  for (const column of slices.keys()) rank(rows.map(({ cells }) => cells[column]));
  return { fields, slices, rows, copies };
}

/** Accuracy of some runs on a slice; undefined where none has it. */
export function cellOf(
  runs: readonly Pick<StoredRun, "accuracy">[],
  slice: string,
): ComparedCell | undefined {
  const values = runs.flatMap(({ accuracy }) => {
    const value = accuracy.find((row) => row.slice === slice)?.accuracy;
    return value === undefined || value === null ? [] : [value];
  });
  if (values.length === 0) return undefined;
  return {
    mean: mean(values),
    deviation: values.length > 1 ? standardDeviation(values) : undefined,
    runs: values.length,
    rank: undefined,
  };
}

function rank(column: readonly (ComparedCell | undefined)[]): void {
  const ranks = ranksOf(
    column.map((cell) => cell?.mean),
    "higher",
  );
  for (const [i, cell] of column.entries()) if (cell) cell.rank = ranks[i];
}
