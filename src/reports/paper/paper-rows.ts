/** What a paper's table is about: entries of sweeps, each on one dataset, with the runs that were chosen and what they cost. */

import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { methods, supervisionOf } from "../../methods/index.ts";
import { supervisionInWords } from "../../methods/method.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { readCoreTime, timeFile } from "../../runs/core-time.ts";
import { readRun, type StoredRun } from "../../runs/run-list.ts";
import { finishedSweep, type RecordedEntry } from "../../sweeps/sweep-record.ts";
import type { RunSpec } from "../../training/run-spec.ts";
import { datasetOf } from "../comparison.ts";

interface PaperRun {
  seed: number;
  run: StoredRun;
}

export interface PaperEntry {
  label: string;
  dataset: string;
  sweep: string;
  runs: PaperRun[];
  /** Runs of its search. */
  trials: number;
  /** Steps of a run's training; null where neither its spec nor its table tells. */
  steps: number | null;
  /** Of a run, the mean over seeds; null where nothing was recorded. */
  coreSeconds: number | null;
  trainingLabels: string;
  selectionLabels: string;
  /** Seeds whose runs have failed. */
  failed: number;
}

/** Runs of the search are no part of any row: what they found is why the others were made. */
export async function paperEntries(folder: string, sweeps: readonly string[]): Promise<PaperEntry[]> {
  const entries: PaperEntry[] = [];
  for (const name of new Set(sweeps)) {
    const { outcome } = await finishedSweep(folder, name);
    for (const entry of outcome.entries) entries.push(await paperEntry(folder, name, entry));
  }
  for (const [i, { label, dataset, sweep }] of entries.entries()) {
    const before = entries.slice(0, i).find((one) => one.label === label && one.dataset === dataset);
    if (before === undefined) continue;
    throw new CuelabError({
      kind: "usage",
      what: `two entries are "${label}" on ${dataset}`,
      where: `sweeps "${before.sweep}" and "${sweep}"`,
      expected: "one entry a label and dataset: they are the rows and columns",
      todo: "give one of them another label in its sweep's file",
    });
  }
  return entries;
}

async function paperEntry(folder: string, sweep: string, entry: RecordedEntry): Promise<PaperEntry> {
  const done = entry.runs.filter(({ state }) => state === "done");
  const runs = done.map(({ id }) => {
    const run = readRun(join(folder, id));
    return { seed: Number(run.spec.seed), run };
  });
  const first = runs[0]?.run;
  const spec = first?.spec as unknown as RunSpec | undefined;
  return {
    label: entry.label,
    dataset: entry.dataset ?? (first === undefined ? "–" : datasetOf(first)),
    sweep,
    runs,
    trials: entry.trials.length,
    steps: first === undefined || spec === undefined ? null : await stepsOf(first, spec),
    coreSeconds: await meanCoreSeconds(runs),
    trainingLabels: spec === undefined ? "–" : trainingLabels(spec),
    selectionLabels: selectionLabels(entry, first),
    failed: entry.runs.length - done.length,
  };
}

/** As long as the run was asked to train: a method's further stages come on top. */
async function stepsOf({ folder }: StoredRun, spec: RunSpec): Promise<number | null> {
  if (spec.steps !== undefined) return spec.steps;
  const { about } = await openPredictions(folder).catch(() => ({ about: undefined }));
  const images = about?.training?.images;
  if (images === undefined) return null;
  const count = Array.prototype.reduce.call<
    ArrayLike<number>,
    [(sum: number, n: number) => number, number],
    number
  >(images, (sum: number, n: number) => sum + n, 0);
  return spec.epochs * Math.max(1, Math.floor(count / spec.batchSize));
}

async function meanCoreSeconds(runs: readonly PaperRun[]): Promise<number | null> {
  const times = await Promise.all(runs.map(({ run }) => readCoreTime(join(run.folder, timeFile))));
  const known = times.flatMap((time) => time?.coreSeconds ?? []);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0) / known.length;
}

/** The classes, and what else the method was given of the training images. */
function trainingLabels({ method: { name, settings, explicit } }: RunSpec): string {
  const given = supervisionInWords(supervisionOf(methods.get(name), settings));
  const cues = explicit?.length ? explicit.join(", ") : undefined;
  if (given === "none") return "class";
  return `class; ${cues === undefined ? given : given.replaceAll("cues", () => cues)}`;
}

/** Of the search and of the epoch, each once. */
function selectionLabels({ select }: RecordedEntry, run: StoredRun | undefined): string {
  const all = [select?.labels, run?.selection?.labels].filter(
    (labels): labels is string => labels !== undefined && labels !== "none",
  );
  return [...new Set(all.flatMap((labels) => labels.split(", ")))].join(", ") || "none";
}
