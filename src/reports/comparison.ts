/** Runs side by side: those that differ in the seed alone are one row, with mean and Student's interval. */

import { basename } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Cell } from "../core/section.ts";
import {
  decidingLeaves,
  differingLeaves,
  haveSameImages,
  sameImagesRemark,
} from "../core/spec-differences.ts";
import { meanOverSeeds, type SeedValue } from "../core/statistics/index.ts";
import { mixedBuilds } from "../runs/builds.ts";
import type { StoredRun } from "../runs/run-list.ts";

/** Of a field that a run's spec does not have. */
export const noValue = "–";

export interface ComparedCell {
  mean: number;
  /** The sample's standard deviation over seeds; undefined for a single run. */
  deviation: number | undefined;
  /** Student's 95% interval of the mean over seeds; undefined for a single run. */
  low: number | undefined;
  high: number | undefined;
  runs: number;
}

export interface RunComparison {
  /** The data that all of them were trained on. */
  dataset: string;
  /** Places in the spec that tell the rows apart, such as `method.name`. */
  fields: string[];
  /** Of these, as few as tell the rows apart: a method's own settings follow from its name, unless they differ, too. */
  shown: number[];
  /** Slices of the data, such as `test`. */
  slices: string[];
  rows: { values: string[]; runs: StoredRun[]; cells: (ComparedCell | undefined)[]; selection: string }[];
  /** Folders that hold a run which another folder holds already: one run is one run. */
  copies: string[];
  /** Of rows whose runs are of different builds of the program, or seeds on the same images. */
  remarks: string[];
}

/** One comparison a dataset: numbers of different data stand in no order. What distinguishes rows is told within each. */
export function compareByDataset(found: readonly StoredRun[], chosen?: readonly string[]): RunComparison[] {
  const slices = comparedSlices(found, chosen);
  return [...new Set(found.map(datasetOf))].map((dataset) => {
    const runs = found.filter((run) => datasetOf(run) === dataset);
    const own = slicesIn(runs);
    return compareRuns(
      runs,
      slices.filter((slice) => own.includes(slice)),
    );
  });
}

/** As people call it; data from a folder by the folder's name. */
export function datasetOf({ spec }: Pick<StoredRun, "spec">): string {
  const { name, path } = (spec.data ?? {}) as { name?: unknown; path?: unknown };
  return typeof name === "string" ? name : basename(typeof path === "string" ? path : "data");
}

export function compareRuns(found: readonly StoredRun[], chosen?: readonly string[]): RunComparison {
  const runs = found.filter(({ id }, i) => found.findIndex((other) => other.id === id) === i);
  const copies = found.filter((run) => !runs.includes(run)).map(({ folder }) => folder);
  // Equal specs of different formats need not be equal runs.
  const flat = runs.map(({ spec, format }) => decidingLeaves({ ...spec, format }));
  const fields = differingLeaves(flat);
  const slices = comparedSlices(runs, chosen);
  const groups = new Map<string, { values: string[]; runs: StoredRun[] }>();
  for (const [i, run] of runs.entries()) {
    const values = fields.map((field) => flat[i]!.get(field) ?? noValue);
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { values, runs: [] };
    group.runs.push(run);
    groups.set(key, group);
  }
  const remarks = [...groups.values()].flatMap(
    (group) =>
      mixedBuilds(
        group.runs.map(({ builds }) => builds),
        rowWords(group.values),
      ) ?? [],
  );
  const fixed = [...groups.values()].some((group) => haveSameImages(group.runs.map(({ spec }) => spec)));
  if (fixed) remarks.push(sameImagesRemark);
  const rows = [...groups.values()].map((group) => ({
    ...group,
    selection: [...new Set(group.runs.map(({ selection }) => selection?.rule ?? "–"))].join("; "),
    cells: slices.map((slice) => comparedCell(group.runs, slice)),
  }));
  const dataset = runs[0] === undefined ? "" : datasetOf(runs[0]);
  const shown = distinguishing(rows.map(({ values }) => values));
  return { dataset, fields, shown, slices, rows, copies, remarks };
}

/** Columns without which rows would be alike or say nothing of themselves, the first ones kept. */
function distinguishing(rows: readonly (readonly string[])[]): number[] {
  let kept = [...(rows[0] ?? []).keys()];
  const saying = rows.filter((row) => row.some((value) => value !== noValue));
  const apart = (columns: readonly number[]) =>
    new Set(rows.map((row) => JSON.stringify(columns.map((column) => row[column])))).size === rows.length &&
    saying.every((row) => columns.some((column) => row[column] !== noValue));
  for (const column of kept.toReversed()) {
    const without = kept.filter((one) => one !== column);
    if (apart(without)) kept = without;
  }
  return kept;
}

/** What tells a row apart, in words; a bare number says of what it is. */
export function rowLabel(
  { dataset, fields, shown }: Pick<RunComparison, "dataset" | "fields" | "shown">,
  { values }: Pick<RunComparison["rows"][number], "values">,
): string {
  const known = shown.filter((column) => values[column] !== noValue);
  const words = known.map((column) => {
    const value = values[column]!;
    return /^[a-z]/i.test(value) && !isTruth(value) ? value : `${fields[column]!.split(".").at(-1)} ${value}`;
  });
  return words.join(", ") || dataset;
}

function isTruth(value: string): boolean {
  return value === "true" || value === "false";
}

function rowWords(values: readonly string[]): string {
  return values.length === 0 ? "the runs" : `the runs of ${values.join(", ")}`;
}

/** Slices that runs were measured on, in their order. */
export function slicesIn(runs: readonly Pick<StoredRun, "accuracy">[]): string[] {
  return [...new Set(runs.flatMap(({ accuracy }) => accuracy.map(({ slice }) => slice)))];
}

/** Those that were chosen must be among them. */
export function comparedSlices(
  runs: readonly Pick<StoredRun, "accuracy">[],
  chosen?: readonly string[],
): string[] {
  const known = slicesIn(runs);
  if (chosen === undefined) return known;
  const wanted = wholeNames(chosen, known);
  const wrong = wanted.find((slice) => !known.includes(slice));
  if (wrong === undefined) return known.filter((slice) => wanted.includes(slice));
  throw new CuelabError({
    kind: "usage",
    what: `no run has a slice "${wrong}"`,
    where: "--slices",
    expected: `some of: ${known.map((slice) => `"${slice}"`).join(", ")}`,
    ...didYouMean(wrong, known),
  });
}

/** Slices such as `test, environment 0.9` have a comma in their names, which a list by commas has cut in two. */
export function wholeNames(parts: readonly string[], known: readonly string[]): string[] {
  if (parts.length === 0) return [];
  for (let length = parts.length; length > 1; length--) {
    const name = parts.slice(0, length).join(", ");
    if (known.includes(name)) return [name, ...wholeNames(parts.slice(length), known)];
  }
  return [parts[0]!, ...wholeNames(parts.slice(1), known)];
}

/** As tables take it; a mark says that it is not worse than the best by a test over seeds. */
export function seedsCellOf(cell: ComparedCell | undefined, notWorse?: boolean): Cell {
  return cell === undefined
    ? null
    : {
        mean: cell.mean,
        deviation: cell.deviation ?? null,
        runs: cell.runs,
        ...(notWorse !== undefined && { notWorse }),
      };
}

/** What a row's runs reached on a slice, by seed. */
export function seedValuesOf(
  { runs }: Pick<RunComparison["rows"][number], "runs">,
  slice: string,
): SeedValue[] {
  const values = runs.flatMap(({ spec, accuracy }) => {
    const value = accuracy.find((one) => one.slice === slice)?.accuracy;
    return typeof value === "number" ? [{ seed: Number(spec.seed), value }] : [];
  });
  // Runs that differ in the seed of their data alone have one seed, and no pairs.
  const seeds = new Set(values.map(({ seed }) => seed));
  return seeds.size === values.length ? values : values.map((value, i) => ({ ...value, seed: -1 - i }));
}

/** Accuracy of some runs on a slice; undefined where none has it. */
function comparedCell(runs: readonly Pick<StoredRun, "accuracy">[], slice: string): ComparedCell | undefined {
  const values = runs.flatMap(({ accuracy }) => {
    const value = accuracy.find((row) => row.slice === slice)?.accuracy;
    return value === undefined || value === null ? [] : [value];
  });
  if (values.length === 0) return undefined;
  const { mean, deviation, low, high, n } = meanOverSeeds(values);
  return { mean, deviation, low, high, runs: n };
}
