/** Runs side by side: those that differ in the seed alone are one row, with mean and spread. */

import { mean, standardDeviation } from "../core/statistics/index.ts";
import type { Json, StoredRun } from "../store/run-list.ts";
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
}

/** Where a run's outcome varies by chance, not by choice. */
const seeds = new Set(["seed"]);

export function compareRuns(runs: readonly StoredRun[], chosen?: readonly string[]): Comparison {
  const flat = runs.map(({ spec }) => flattened(spec));
  const fields = [...new Set(flat.flatMap((values) => [...values.keys()]))].filter(
    (field) => !seeds.has(field) && new Set(flat.map((values) => values.get(field) ?? "–")).size > 1,
  );
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
  return { fields, slices, rows };
}

/** Every leaf of a spec by its path, as text. */
function flattened(tree: Json, prefix = "", into = new Map<string, string>()): Map<string, string> {
  if (typeof tree === "object" && tree !== null && !Array.isArray(tree)) {
    for (const [name, value] of Object.entries(tree))
      flattened(value as Json, prefix === "" ? name : `${prefix}.${name}`, into);
  } else into.set(prefix, Array.isArray(tree) ? tree.map(String).join(",") : String(tree));
  return into;
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
