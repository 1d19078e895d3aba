/** Makes the pools of a study one after the other, and finds what is there of them. */

import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { networksNamed } from "../pools/draw-networks.ts";
import { idColumn, writeJudgedTable } from "../pools/judged-table.ts";
import { findPool, makePool } from "../pools/make-pool.ts";
import type { PoolSpec } from "../pools/pool-spec.ts";
import { drawColumn } from "../pools/pool-table.ts";
import { DataBook } from "../training/data-book.ts";
import type { PoolStudyPart, StudyPool } from "./pool-study.ts";

export interface PoolPartOutcome {
  part: PoolStudyPart;
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

export interface PoolFailure {
  id: string;
  label: string;
  error: Error;
}

export interface MakePoolsOptions {
  /** The study's. */
  folder: string;
  /** Processes at a time. */
  workers: number;
  signal: AbortSignal;
  /** The pool that is being made, work that was done now, and how much more there is to do at most. */
  onProgress?: (pool: StudyPool, done: number, left: number) => void;
}

/** Networks among them. */
export function countClassifiers(parts: readonly PoolStudyPart[]): number {
  return poolsOf(parts).reduce((sum, { classifiers, networks }) => sum + classifiers + networks.count, 0);
}

/** A network takes about as long as so many cheap classifiers, which matters to estimates alone. */
const networkWork = 100;

function workOf({ classifiers, networks }: StudyPool): number {
  return classifiers + networks.count * networkWork;
}

function poolsOf(parts: readonly PoolStudyPart[]): StudyPool[] {
  return parts.flatMap(({ pools }) => pools);
}

/** Those that could not be made, with why; the others are made all the same. */
export async function makePools(
  parts: readonly PoolStudyPart[],
  { folder, workers, signal, onProgress }: MakePoolsOptions,
): Promise<PoolFailure[]> {
  const failures: PoolFailure[] = [];
  let done = 0;
  let left = poolsOf(parts).reduce((sum, pool) => sum + workOf(pool), 0);
  for (const pool of poolsOf(parts)) {
    signal.throwIfAborted();
    left -= workOf(pool);
    onProgress?.(pool, done, left + workOf(pool));
    const trained = { classifiers: 0, networks: 0 };
    const ofNetworks = pool.networks.count * networkWork;
    try {
      const { spec, dataset } = await openPool(pool);
      const { networks } = await makePool(spec, {
        ...pool,
        dataset,
        out: folderOf(folder, pool),
        force: false,
        workers,
        signal,
        onChunk: (there, all, before) => {
          trained.classifiers = there - before;
          onProgress?.(pool, done + trained.classifiers, left + all - there + ofNetworks);
        },
        networks:
          pool.networks.count === 0
            ? undefined
            : {
                count: pool.networks.count,
                choices: networksNamed(pool.networks.names),
                workers,
                onSteps: (steps, all) => {
                  const perStep = networkWork / pool.spec.steps;
                  trained.networks = steps * perStep;
                  const before = done + trained.classifiers;
                  onProgress?.(pool, before + trained.networks, left + (all - steps) * perStep);
                },
              },
      });
      for (const { classifier, error } of networks.failed) {
        failures.push({ id: `${pool.name}/${classifier}`, label: pool.dataset, error: new Error(error) });
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof CuelabError)) throw error;
      failures.push({ id: pool.name, label: pool.dataset, error });
    }
    done += trained.classifiers + trained.networks;
  }
  return failures;
}

/** Of parts that have none the pools are empty; the tables are written beside the pools. */
export async function findPools(
  parts: readonly PoolStudyPart[],
  folder: string,
  { signal, failed = [] }: { signal: AbortSignal; failed?: readonly PoolFailure[] },
): Promise<PoolPartOutcome[]> {
  const points = join(folder, "points");
  const outcomes: PoolPartOutcome[] = [];
  for (const part of parts) {
    const found: PoolOutcome[] = [];
    for (const pool of part.pools) {
      signal.throwIfAborted();
      // What could not be made, such as data that cannot be opened, cannot be found either.
      if (failed.some(({ id }) => id === pool.name)) continue;
      const { spec, dataset } = await openPool(pool);
      const there = await findPool(spec, { ...pool, dataset, out: folderOf(folder, pool) });
      if (there.found === 0) continue;
      const table = join(points, `${pool.name}.csv`);
      await writeJudgedTable(table, there, pool.splits);
      const { training } = there.folds[0]!;
      found.push({
        pool,
        classifiers: there.found,
        table,
        idColumn,
        drawColumn,
        classes: there.classes,
        guessing: training.reduce((sum, i) => sum + there.guessing[i]!, 0) / training.length,
      });
    }
    outcomes.push({ part, pools: found });
  }
  return outcomes;
}

function folderOf(folder: string, { name }: StudyPool): string {
  return join(folder, "pools", name);
}

async function openPool({ data, spec }: StudyPool): Promise<{ spec: PoolSpec; dataset: Dataset }> {
  const { handle, dataset } = await new DataBook().open({ ...data, seed: spec.seed });
  return { spec: { ...spec, data: handle.data }, dataset };
}
