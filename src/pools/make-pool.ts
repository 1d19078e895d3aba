/**
 * A pool of classifiers on disk: `pool.json` says what it is, `parts/` holds a Parquet file for each chunk that is
 * trained, `runs/` the runs of networks, and `accuracies.csv` and `accuracies.parquet` are the table of all that were asked for. A part is there whole
 * or not at all, and its name has the hash of everything that decides it: to go on means to make those that are missing.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { pluginsBehind } from "../plugins/at-hand.ts";
import { CoreClock, timeFile } from "../runs/core-time.ts";
import { DataBook, type DataWords } from "../training/data-book.ts";
import {
  type EnvironmentPlan,
  type Fold,
  foldsOf,
  foldTrainedOn,
  guessingIn,
} from "../training/environments.ts";
import { modelsOf } from "../training/features/extractors.ts";
import { checkTrainable, ofOneShape, openTrainingData } from "../training/training-data.ts";
import { chunkSize } from "./draw-classifiers.ts";
import type { PoolNetworkChoice } from "./draw-networks.ts";
import { randomNetworks } from "./feature-kinds.ts";
import { classifiersIn, countLeftOut } from "./left-out.ts";
import {
  type FailedNetwork,
  fittingNetworks,
  type MadeNetworks,
  makeNetworks,
  type NetworkParts,
  type PoolNetworkOptions,
} from "./make-networks.ts";
import { groupAttributes, type MeasuredSets } from "./measured-sets.ts";
import {
  isPool,
  openPoolFolder,
  partPath,
  partsIn,
  removeHalfMade,
  runsIn,
  tablePaths,
  vouchForPool,
} from "./pool-folder.ts";
import { formatVersion, type PoolSpec, poolId, recorded } from "./pool-spec.ts";
import { csvOf, decodeRows, encodeRows, type PoolRow } from "./pool-table.ts";
import { makeJobs } from "./pool-workers.ts";
import { checkNetworks, jobOf, missingFrom, planPool } from "./pool-workshop.ts";

export interface MakePoolOptions {
  out: string;
  /** The data, where whoever asks has opened it to describe it; it is closed here. */
  dataset?: Dataset | undefined;
  /** For each fold. */
  classifiers: number;
  /** The environment to leave out, or `all` in turn… */
  holdOut: string;
  /** … or those to train on, all others being out of distribution. */
  trainOn?: readonly string[] | undefined;
  /** Networks as well, each trained by itself. */
  networks?: PoolNetworkOptions | undefined;
  /** Replace another pool that is there. */
  force: boolean;
  /** Processes at a time. */
  workers: number;
  signal?: AbortSignal | undefined;
  onImages?: (done: number, total: number) => void;
  /** A network begins to look at so many images. */
  onNetwork?: (kind: string, images: number) => void;
  /** Classifiers that are there, of how many, and how many were there before. */
  onChunk?: (done: number, total: number, before: number) => void;
}

/** What is known of a pool before anything is trained. */
interface PlannedPool {
  id: string;
  plan: EnvironmentPlan;
  folds: Fold[];
  /** What every classifier was measured on, and groups that have no images to measure on. */
  measured: MeasuredSets;
  classes: number;
  /** Of each environment: what always answering its most frequent class gets. */
  guessing: number[];
}

export interface MadePool extends PlannedPool {
  points: number;
  /** Families with groups of kinds of features that so few classifiers have none of. */
  missing: string[];
  /** Classifiers that were trained now, the rest being there already. */
  trained: number;
  /** Of networks: how many of them were made now, and those that failed and have no rows. */
  networks: Omit<MadeNetworks, "rows" | "folders">;
  /** Classifiers in the table, of all folds, and those in the folder that are not in it. */
  inTable: number;
  leftOut: number;
  csv: string;
  parquet: string;
}

/** Of data as people name it, which is opened to know what it is. */
export async function makeNamedPool(
  words: Omit<DataWords, "environments">,
  asked: Omit<PoolSpec, "data">,
  options: Omit<MakePoolOptions, "dataset">,
): Promise<MadePool> {
  const { handle, dataset } = await new DataBook().open(words, options.signal);
  return makePool({ ...asked, data: handle.data }, { ...options, dataset });
}

export async function makePool(asked: PoolSpec, options: MakePoolOptions): Promise<MadePool> {
  const dataset = await datasetOf(asked, options);
  try {
    const { spec, ...planned } = preparePool(dataset, asked, options);
    const { id, plan, folds, measured } = planned;
    await checkNetworks(spec, dataset);
    const choices = options.networks && fittingNetworks(options.networks.choices, dataset.images.shape!);
    const lock = await openPoolFolder(options, id, aboutPool(spec, id, plan));
    try {
      const trained = await makeParts(spec, options, id, folds, dataset);
      const {
        rows: networkRows,
        folders,
        ...networks
      } = await networksOf(spec, options, choices, {
        plan,
        folds,
        sets: measured.sets,
      });
      const rows = [...(await tableOf(options, id, folds)), ...networkRows];
      if (rows.length === 0) throw nothingTrained(networks.failed);
      const { csv, parquet } = tablePaths(options.out);
      const parts = partsOf(options, id, folds);
      const leftOut = await countLeftOut(options.out, { id, rows, parts, runs: folders });
      const inTable = classifiersIn(rows).size;
      const confirm = () => lock.check();
      await writeWhole(csv, csvOf(rows), { overwrite: true, confirm });
      await writeWhole(parquet, await encodeRows(rows), { overwrite: true, confirm });
      await vouchForPool(options.out, id, confirm);
      const chunks = chunksOf(options.classifiers).length;
      const missing = chunks === 0 ? [] : missingFrom(spec, dataset, chunks);
      const made = { missing, trained, networks, inTable, leftOut };
      return { ...planned, points: rows.length, ...made, csv, parquet };
    } finally {
      lock.release();
    }
  } finally {
    await dataset.images.close?.();
  }
}

export interface FoundPool extends PlannedPool {
  rows: PoolRow[];
  /** Classifiers that are there, in all folds, networks among them. */
  found: number;
}

/**
 * What is there of a pool: its table where it was finished, else the parts that are made, without networks. Nothing is
 * trained, and nothing is written.
 */
export async function findPool(
  asked: PoolSpec,
  options: Pick<MakePoolOptions, "out" | "classifiers" | "holdOut" | "trainOn" | "dataset">,
): Promise<FoundPool> {
  const dataset = await datasetOf(asked, options);
  try {
    const { spec: _, ...planned } = preparePool(dataset, asked, options);
    const { parquet } = tablePaths(options.out);
    const finished = existsSync(parquet) && (await isPool(options.out, planned.id));
    const rows = finished
      ? await decodeRows(parquet)
      : await tableOf(options, planned.id, planned.folds, { partial: true });
    return { ...planned, rows, found: classifiersIn(rows).size };
  } finally {
    await dataset.images.close?.();
  }
}

async function datasetOf(
  { data }: PoolSpec,
  { dataset }: Pick<MakePoolOptions, "dataset">,
): Promise<Dataset> {
  return dataset === undefined ? openTrainingData(data) : ofOneShape(dataset);
}

function preparePool(
  dataset: Dataset,
  asked: PoolSpec,
  { trainOn, holdOut }: Pick<MakePoolOptions, "trainOn" | "holdOut">,
): PlannedPool & { spec: PoolSpec } {
  checkTrainable(dataset);
  const plugins = pluginsBehind({
    datasets: [asked.data.name],
    models: [...randomNetworks(asked.features), ...modelsOf(asked.extractors)],
  });
  const groups = groupAttributes(dataset, asked.groups);
  const spec: PoolSpec = { ...asked, groups, ...(plugins && { plugins }) };
  const { plan, measured } = planPool(spec, dataset);
  return {
    spec,
    id: poolId(spec),
    plan,
    measured,
    folds: trainOn === undefined ? foldsOf(plan, holdOut) : [foldTrainedOn(plan, trainOn)],
    classes: dataset.classNames.length,
    guessing: guessingIn(dataset, plan),
  };
}

async function networksOf(
  spec: PoolSpec,
  { networks, out, signal }: MakePoolOptions,
  choices: readonly PoolNetworkChoice[] | undefined,
  parts: Omit<NetworkParts, "folder" | "signal">,
): Promise<MadeNetworks> {
  if (networks === undefined || choices === undefined) {
    return { rows: [], trained: 0, failed: [], folders: [] };
  }
  return makeNetworks(spec, { ...networks, choices }, { ...parts, folder: runsIn(out), signal });
}

function nothingTrained([first]: readonly FailedNetwork[]): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "every network failed, and there is nothing to make a table of",
    ...(first === undefined ? {} : { where: first.folder, got: first.error }),
    todo: "choose other --networks, or add families",
  });
}

/** What pool.json says. */
function aboutPool(spec: PoolSpec, id: string, { environments, attribute }: EnvironmentPlan): object {
  return {
    cuelabPool: formatVersion,
    id,
    ...recorded(spec),
    environments: environments.map(({ name, inPart, outPart }) => ({
      name,
      in: inPart.length,
      out: outPart.length,
    })),
    ...(attribute === undefined ? {} : { attribute }),
  };
}

/** Makes the parts that are missing; returns how many classifiers they hold. */
async function makeParts(
  spec: PoolSpec,
  options: MakePoolOptions,
  id: string,
  folds: readonly Fold[],
  dataset: Dataset,
): Promise<number> {
  const { out, classifiers, onChunk } = options;
  const there = await partsIn(out);
  const all = folds.flatMap((fold) => chunksOf(classifiers).map((chunk) => ({ fold, chunk })));
  const missing = all.filter(({ fold, chunk }) => !there.has(partPath(out, fold, chunk, id)));
  const before = all.length - missing.length;
  let made = 0;
  const tell = () => onChunk?.((before + made) * chunkSize, all.length * chunkSize, before * chunkSize);
  const jobs = missing.map(({ fold, chunk }) => jobOf(spec, dataset, fold, chunk));
  const clock = await CoreClock.begin(join(out, timeFile));
  try {
    await makeJobs(spec, jobs, {
      ...options,
      id,
      onBegun: tell,
      onMade: () => {
        made++;
        tell();
      },
      onUsed: (coreSeconds) => clock.add(coreSeconds),
    });
  } finally {
    await removeHalfMade(out);
    if (jobs.length > 0) await clock.save();
  }
  return missing.length * chunkSize;
}

function chunksOf(classifiers: number): number[] {
  return Array.from({ length: Math.ceil(classifiers / chunkSize) }, (_, i) => i);
}

/** Paths of the parts that the table is made of. */
function partsOf(
  { out, classifiers }: Pick<MakePoolOptions, "out" | "classifiers">,
  id: string,
  folds: readonly Fold[],
): string[] {
  return folds.flatMap((fold) => chunksOf(classifiers).map((chunk) => partPath(out, fold, chunk, id)));
}

/** Of every fold the classifiers that were asked for, in order; chunks hold a few more. */
async function tableOf(
  { out, classifiers }: Pick<MakePoolOptions, "out" | "classifiers">,
  id: string,
  folds: readonly Fold[],
  { partial = false } = {},
): Promise<PoolRow[]> {
  const rows: PoolRow[] = [];
  for (const path of partsOf({ out, classifiers }, id, folds)) {
    if (partial && !existsSync(path)) continue;
    for (const row of await decodeRows(path)) {
      if (Number(row.classifier) < classifiers) rows.push(row);
    }
  }
  return rows;
}
