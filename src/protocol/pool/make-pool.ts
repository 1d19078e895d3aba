/**
 * A pool of classifiers on disk: `pool.json` says what it is, `parts/` holds a Parquet file for each chunk that is
 * trained, and `accuracies.csv` and `accuracies.parquet` are the table of all that were asked for. A part is there whole
 * or not at all, and its name has the hash of everything that decides it: to go on means to make those that are missing.
 */

import type { Dataset } from "../../core/dataset.ts";
import { writeWhole } from "../../formats/write-whole.ts";
import { checkTrainable, openTrainingData } from "../training-data.ts";
import { chunkSize } from "./draw-classifiers.ts";
import { type EnvironmentPlan, type Fold, foldsOf, foldTrainedOn } from "./environments.ts";
import { groupAttributes, type MeasuredSets } from "./measured-sets.ts";
import { openPoolFolder, partPath, partsIn, removePartials, tablePaths } from "./pool-folder.ts";
import { formatVersion, type PoolSpec, poolId, recorded } from "./pool-spec.ts";
import { csvOf, decodeRows, encodeRows, type PoolRow } from "./pool-table.ts";
import { makeJobs } from "./pool-workers.ts";
import { checkNetworks, jobOf, planPool } from "./pool-workshop.ts";

export interface MakePoolOptions {
  out: string;
  /** For each fold. */
  classifiers: number;
  /** The environment to leave out, or `all` in turn… */
  holdOut: string;
  /** … or those to train on, all others being out of distribution. */
  trainOn?: readonly string[] | undefined;
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

export interface MadePool {
  id: string;
  plan: EnvironmentPlan;
  folds: Fold[];
  /** What every classifier was measured on, and groups that have no images to measure on. */
  measured: MeasuredSets;
  classes: number;
  points: number;
  /** Classifiers that were trained now, the rest being there already. */
  trained: number;
  csv: string;
  parquet: string;
}

export async function makePool(asked: PoolSpec, options: MakePoolOptions): Promise<MadePool> {
  const dataset = await openTrainingData(asked.data);
  try {
    checkTrainable(dataset);
    const spec = { ...asked, groups: groupAttributes(dataset, asked.groups) };
    const { plan, measured } = planPool(spec, dataset);
    const folds =
      options.trainOn === undefined ? foldsOf(plan, options.holdOut) : [foldTrainedOn(plan, options.trainOn)];
    await checkNetworks(spec, dataset);
    const id = poolId(spec);
    const release = await openPoolFolder(options, id, aboutPool(spec, id, plan));
    try {
      const trained = await makeParts(spec, options, id, folds, dataset);
      const rows = await tableOf(options, id, folds);
      const { csv, parquet } = tablePaths(options.out);
      await writeWhole(csv, csvOf(rows));
      await writeWhole(parquet, await encodeRows(rows));
      const { length: classes } = dataset.classNames;
      return { id, plan, folds, measured, classes, points: rows.length, trained, csv, parquet };
    } finally {
      release();
    }
  } finally {
    await dataset.images.close?.();
  }
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
  const chunks = Array.from({ length: Math.ceil(classifiers / chunkSize) }, (_, i) => i);
  const all = folds.flatMap((fold) => chunks.map((chunk) => ({ fold, chunk })));
  const missing = all.filter(({ fold, chunk }) => !there.has(partPath(out, fold, chunk, id)));
  const before = all.length - missing.length;
  let made = 0;
  const tell = () => onChunk?.((before + made) * chunkSize, all.length * chunkSize, before * chunkSize);
  const jobs = missing.map(({ fold, chunk }) => jobOf(spec, dataset, fold, chunk));
  try {
    await makeJobs(spec, jobs, {
      ...options,
      id,
      onBegun: tell,
      onMade: () => {
        made++;
        tell();
      },
    });
  } finally {
    await removePartials(out);
  }
  return missing.length * chunkSize;
}

/** Of every fold the classifiers that were asked for, in order; chunks hold a few more. */
async function tableOf(
  { out, classifiers }: MakePoolOptions,
  id: string,
  folds: readonly Fold[],
): Promise<PoolRow[]> {
  const rows: PoolRow[] = [];
  for (const fold of folds) {
    for (let chunk = 0; chunk * chunkSize < classifiers; chunk++) {
      for (const row of await decodeRows(partPath(out, fold, chunk, id))) {
        if (Number(row.classifier) < classifiers) rows.push(row);
      }
    }
  }
  return rows;
}
