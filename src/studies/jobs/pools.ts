/** Makes pools one after the other, and finds what is there of them. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { networksNamed } from "../../pools/draw-networks.ts";
import { idColumn, writeJudgedTable } from "../../pools/judged-table.ts";
import { findPool, makePool } from "../../pools/make-pool.ts";
import { runsIn } from "../../pools/pool-folder.ts";
import type { PoolSpec } from "../../pools/pool-spec.ts";
import { drawColumn } from "../../pools/pool-table.ts";
import { readCoreTime, timeFile } from "../../runs/core-time.ts";
import { DataBook } from "../../training/data-book.ts";
import { digestOf } from "../digest.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import { measurePool } from "./measure-pools.ts";
import type { MeasuredPool, MeasuredPools, PoolsJob, StudyPool } from "./pools-job.ts";
import { PoolsShop, type PoolWork } from "./pools-shop.ts";

/** Of the study's folder; beside it are the points of each pool, as `cuelab line` takes them. */
const poolsFolder = "pools";
const pointsFolder = "points";

export interface MadePools extends MadeJob {
  job: PoolsJob;
  pools: readonly PoolOutcome[];
}

/** What is there of a pool, as a table with a column of ID accuracies and one for each split that is asked about. */
export interface PoolOutcome {
  pool: StudyPool;
  /** Classifiers that are there. */
  classifiers: number;
  table: string;
  idColumn: string;
  /** Points with the same value share what was drawn for them together. */
  drawColumn: string;
  classes: number;
  /** ID accuracy of always answering the most frequent class. */
  guessing: number;
}

interface PoolFailure {
  id: string;
  label: string;
  error: string;
}

export const poolsJob: Job<PoolsJob, MadePools, MeasuredPools> = {
  kind: "pools",
  of: "classifiers",
  one: "pool",
  folder: poolsFolder,
  id: digestOf,
  // Networks among them.
  count: ({ pools }) => pools.reduce((sum, pool) => sum + askedOf(pool), 0),
  seeds: ({ pools }) => [{ purpose: "reporting", seeds: pools.map(({ spec }) => spec.seed) }],
  needs: () => [],
  check: async (job, shop) => PoolsShop.of(shop).plan(job.pools),
  make: (job, shop) => PoolsShop.of(shop).inTurn(() => make(job, shop)),
  find: (job, shop) => find(job, shop, []),
  measure: async ({ job, pools }, { signal, onWork }) => {
    const measured: MeasuredPool[] = [];
    for (const outcome of pools) {
      measured.push(await measurePool(outcome, signal));
      onWork?.("measuring", measured.length, pools.length, "pools");
    }
    return { kind: "pools", job, pools: measured };
  },
  data: ({ pools }) => ({
    pools: pools.map(({ pool, classifiers, splits }) => ({
      pool: pool.name,
      dataset: pool.dataset,
      data: pool.data,
      ...pool.spec,
      classifiers: { done: classifiers, asked: askedOf(pool) },
      networks: pool.networks,
      splits,
    })),
  }),
};

function askedOf({ classifiers, networks }: StudyPool): number {
  return classifiers + networks.count;
}

/** Those that cannot be made are told; the others are made all the same. */
async function make(job: PoolsJob, shop: JobShop): Promise<MadePools> {
  const work = PoolsShop.of(shop);
  const failures: PoolFailure[] = [];
  for (const pool of job.pools) {
    shop.signal.throwIfAborted();
    try {
      failures.push(...(await makeOne(pool, shop, work.begin(pool))));
    } catch (error) {
      if (shop.signal.aborted || !(error instanceof CuelabError)) throw error;
      failures.push({ id: pool.name, label: pool.dataset, error: error.message });
    } finally {
      work.end();
    }
  }
  return find(job, shop, failures);
}

async function makeOne(
  pool: StudyPool,
  { folder, workers, signal }: JobShop,
  { onChunk, onSteps }: PoolWork,
): Promise<PoolFailure[]> {
  const { spec, dataset } = await openPool(pool);
  const { count, names } = pool.networks;
  const { networks } = await makePool(spec, {
    ...pool,
    dataset,
    out: folderOf(folder, pool),
    force: false,
    workers,
    signal,
    onChunk,
    networks: count === 0 ? undefined : { count, choices: networksNamed(names), workers, onSteps },
  });
  return networks.failed.map(({ classifier, error }) => ({
    id: `${pool.name}/${classifier}`,
    label: pool.dataset,
    error,
  }));
}

/** The tables are written beside the pools. */
async function find(
  job: PoolsJob,
  { folder, signal }: JobShop,
  failures: readonly PoolFailure[],
): Promise<MadePools> {
  const pools: PoolOutcome[] = [];
  const things: MadeThing[] = [];
  for (const pool of job.pools) {
    signal.throwIfAborted();
    const failure = failures.find(({ id }) => id === pool.name);
    // What could not be made, such as data that cannot be opened, cannot be found either.
    const found = failure === undefined ? await findOne(pool, folder) : undefined;
    if (found !== undefined) pools.push(found);
    things.push({
      id: pool.name,
      label: pool.dataset,
      done: found?.classifiers ?? 0,
      asked: askedOf(pool),
      coreSeconds: await coreSecondsOf(folderOf(folder, pool)),
      error: failure?.error,
    });
  }
  const ofNetworks = failures.filter(({ id }) => !things.some((thing) => thing.id === id));
  return {
    job,
    pools,
    things: [...things, ...ofNetworks.map((failure) => ({ ...failure, done: 0, asked: 0, coreSeconds: 0 }))],
  };
}

async function findOne(pool: StudyPool, folder: string): Promise<PoolOutcome | undefined> {
  const { spec, dataset } = await openPool(pool);
  const there = await findPool(spec, { ...pool, dataset, out: folderOf(folder, pool) });
  if (there.found === 0) return undefined;
  const table = join(folder, pointsFolder, `${pool.name}.csv`);
  await writeJudgedTable(table, there, pool.splits, pool.over);
  const { training } = there.folds[0]!;
  return {
    pool,
    classifiers: there.found,
    table,
    idColumn,
    drawColumn,
    classes: there.classes,
    // Whatever is always answered is right on one class.
    guessing:
      pool.over === "classes"
        ? 1 / there.classes
        : training.reduce((sum, i) => sum + there.guessing[i]!, 0) / training.length,
  };
}

/** Of cheap classifiers and of each network. */
async function coreSecondsOf(pool: string): Promise<number> {
  const runs = runsIn(pool);
  const folders = [pool, ...(existsSync(runs) ? readdirSync(runs).map((id) => join(runs, id)) : [])];
  const times = await Promise.all(folders.map((path) => readCoreTime(join(path, timeFile))));
  return times.reduce((sum, time) => sum + (time?.coreSeconds ?? 0), 0);
}

function folderOf(folder: string, { name }: StudyPool): string {
  return join(folder, poolsFolder, name);
}

async function openPool({ data, spec }: StudyPool): Promise<{ spec: PoolSpec; dataset: Dataset }> {
  const { handle, dataset } = await new DataBook().open({ ...data, seed: spec.seed });
  return { spec: { ...spec, data: handle.data }, dataset };
}
