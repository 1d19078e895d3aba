/** The table of a paper: a row a label, datasets as groups of columns, numbers over seeds, and what each row was given. */

import { CuelabError } from "../../core/errors.ts";
import type { Cell, Column, Table } from "../../core/section.ts";
import {
  markOf,
  meanOverSeeds,
  notWorseThanBest,
  type SeedValue,
  seedHalfWidth,
  standardError,
} from "../../core/statistics/index.ts";
import { mixedBuilds } from "../../runs/builds.ts";
import { measurePaperRun, type PaperMetric, paperMetrics } from "./paper-metrics.ts";
import { type PaperEntry, paperEntries } from "./paper-rows.ts";

export const paperIntervals = ["t95", "sd", "se"] as const;
export type PaperInterval = (typeof paperIntervals)[number];

const intervalWords: Record<PaperInterval, string> = {
  t95: "half of Student's 95% interval over seeds",
  sd: "standard deviation over seeds",
  se: "standard error over seeds",
};

export interface PaperOptions {
  folder: string;
  sweeps: readonly string[];
  metrics: readonly string[];
  interval: PaperInterval;
  signal?: AbortSignal | undefined;
  onMeasured?: ((done: number, total: number) => void) | undefined;
}

export interface PaperCell {
  mean: number;
  sd: number | null;
  se: number | null;
  low: number | null;
  high: number | null;
  n: number;
  values: readonly SeedValue[];
  /** Not worse than the best of its column; false for one seed. */
  notWorse: boolean;
  pValue: number | null;
  adjusted: number | null;
}

interface PaperRow extends Omit<PaperEntry, "runs"> {
  runs: readonly string[];
  /** By metric; null where the dataset has no such thing, or no run is done. */
  cells: Record<string, PaperCell | null>;
}

export interface PaperData {
  metrics: readonly Pick<PaperMetric, "name" | "title" | "better">[];
  interval: PaperInterval;
  rows: readonly PaperRow[];
  remarks: readonly string[];
}

export async function paperData(options: PaperOptions): Promise<PaperData> {
  const { folder, sweeps, interval, signal, onMeasured } = options;
  const entries = await paperEntries(folder, sweeps);
  const all = entries.flatMap(({ runs }) => runs.map(({ run }) => run));
  const metrics = paperMetrics(options.metrics, all);
  const cues = new Set<string>();
  let done = 0;
  const rows: { entry: PaperEntry; values: Map<string, SeedValue[]> }[] = [];
  for (const entry of entries) {
    const values = new Map<string, SeedValue[]>(metrics.map(({ name }) => [name, []]));
    for (const { seed, run } of entry.runs) {
      const measured = await measurePaperRun(run, metrics, signal);
      for (const cue of measured.cues) cues.add(cue);
      for (const [name, value] of measured.values)
        if (value !== null) values.get(name)!.push({ seed, value });
      onMeasured?.(++done, all.length);
    }
    rows.push({ entry, values });
  }
  for (const { name } of metrics)
    if (all.length > 0 && rows.every(({ values }) => values.get(name)!.length === 0))
      throw nowhere(name, cues);
  return {
    metrics: metrics.map(({ name, title, better }) => ({ name, title, better })),
    interval,
    rows: cellsOf(rows, metrics),
    remarks: remarksOf(entries),
  };
}

/** Tests go through one column at a time: one metric on one dataset. */
function cellsOf(
  rows: readonly { entry: PaperEntry; values: Map<string, SeedValue[]> }[],
  metrics: readonly PaperMetric[],
): PaperRow[] {
  const tested = metrics.map(({ name, better }) => {
    const found = rows.map(() => ({
      notWorse: false,
      pValue: null as number | null,
      adjusted: null as number | null,
    }));
    for (const dataset of new Set(rows.map(({ entry }) => entry.dataset))) {
      const places = rows.flatMap(({ entry }, i) => (entry.dataset === dataset ? [i] : []));
      const { rows: judged } = notWorseThanBest(
        places.map((i) => rows[i]!.values.get(name)!),
        better,
      );
      for (const [at, i] of places.entries()) {
        const { notWorse, pValue = null, adjusted = null } = judged[at]!;
        found[i] = { notWorse, pValue, adjusted };
      }
    }
    return found;
  });
  return rows.map(({ entry: { runs, ...entry }, values }, i) => ({
    ...entry,
    runs: runs.map(({ run }) => run.id),
    cells: Object.fromEntries(
      metrics.map(({ name }, m) => [name, cellOf(values.get(name)!, tested[m]![i]!)]),
    ),
  }));
}

function cellOf(
  values: readonly SeedValue[],
  test: Pick<PaperCell, "notWorse" | "pValue" | "adjusted">,
): PaperCell | null {
  if (values.length === 0) return null;
  const numbers = values.map(({ value }) => value);
  const { mean, deviation = null, low = null, high = null, n } = meanOverSeeds(numbers);
  return { mean, sd: deviation, se: n > 1 ? standardError(numbers) : null, low, high, n, values, ...test };
}

function remarksOf(entries: readonly PaperEntry[]): string[] {
  const built = mixedBuilds(
    entries.flatMap(({ runs }) => runs.map(({ run }) => run.builds)),
    "the runs of this table",
  );
  return [
    ...(built === undefined ? [] : [built]),
    ...entries
      .filter(({ failed }) => failed > 0)
      .map(
        ({ label, dataset, failed }) => `${label} on ${dataset}: ${failed} runs are not done, and in no mean`,
      ),
  ];
}

function nowhere(name: string, cues: ReadonlySet<string>): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `no run has a number for "${name}"`,
    where: "--metrics",
    expected: cues.size === 0 ? "data with cues" : `attributes that these runs have: ${[...cues].join(", ")}`,
  });
}

/** What stands after ±; undefined for one seed. */
export function spreadOf({ sd, se, n }: PaperCell, interval: PaperInterval): number | undefined {
  if (sd === null || se === null) return undefined;
  return { t95: seedHalfWidth(sd, n), sd, se }[interval];
}

/** In per cent, as people read it. */
export function paperTable({ metrics, interval, rows, remarks }: PaperData): Table {
  const datasets = [...new Set(rows.map(({ dataset }) => dataset))];
  const counts = new Set(rows.flatMap(({ cells }) => Object.values(cells).flatMap((cell) => cell?.n ?? [])));
  const [only] = counts.size === 1 ? counts : [];
  const grouped = datasets.length > 1;
  const columns: Column[] = datasets.flatMap((group) =>
    metrics.map(({ title }) => (grouped ? { title, group } : { title })),
  );
  const labels = [...new Set(rows.map(({ label }) => label))];
  const body = labels.map((label) => {
    const own = rows.filter((row) => row.label === label);
    const numbers = datasets.flatMap((dataset) => {
      const row = own.find((one) => one.dataset === dataset);
      return metrics.map(({ name }) => paperCell(row?.cells[name] ?? null, interval, only === undefined));
    });
    return { cells: [label, ...numbers, ...costCells(own)] };
  });
  return {
    name: "paper",
    caption: captionOf(interval, only, datasets, remarks),
    columns: [{ title: "" }, ...columns, ...costTitles.map((title) => ({ title }))],
    rows: body,
  };
}

const costTitles = ["trials", "steps", "core s", "labels in training", "labels in selection"];

/** Where datasets differ in it, one after the other. */
function costCells(rows: readonly PaperRow[]): Cell[] {
  const each = (of: (row: PaperRow) => string) => [...new Set(rows.map(of))].join(" / ");
  const count = (n: number | null) => (n === null ? "–" : Math.round(n).toLocaleString("en"));
  return [
    each(({ trials }) => count(trials)),
    each(({ steps }) => count(steps)),
    each(({ coreSeconds }) => (coreSeconds === null ? "–" : seconds(coreSeconds))),
    each(({ trainingLabels }) => trainingLabels),
    each(({ selectionLabels }) => selectionLabels),
  ];
}

function seconds(value: number): string {
  return value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

function paperCell(cell: PaperCell | null, interval: PaperInterval, withCount: boolean): Cell {
  if (cell === null) return null;
  const spread = spreadOf(cell, interval);
  const half = spread === undefined ? "" : ` ± ${(100 * spread).toFixed(1)}`;
  const text = `${(100 * cell.mean).toFixed(1)}${half}${withCount ? ` (${cell.n})` : ""}`;
  const notWorse = markOf(cell);
  return { value: cell.mean, text, ...(notWorse !== undefined && { notWorse }) };
}

function captionOf(
  interval: PaperInterval,
  only: number | undefined,
  datasets: readonly string[],
  remarks: readonly string[],
): string {
  const seeds =
    only === undefined ? "number of seeds in brackets" : `${only} ${only === 1 ? "seed" : "seeds"}`;
  const bold =
    only === 1
      ? "nothing is bold, since one seed says nothing of another"
      : "bold: not worse than the best of its column, where anything is, by a paired t over seeds, adjusted by Holm for its rows, at 5%";
  return [
    `${datasets.length === 1 ? `${datasets[0]}; ` : ""}per cent, mean ± ${intervalWords[interval]}, ${seeds}`,
    bold,
    "trials are runs of the search, on no row; steps and core seconds are of a run",
    ...remarks,
  ].join("; ");
}
