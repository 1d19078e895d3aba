/**
 * Classifiers in a pool's folder that its table does not have, because fewer, other folds or other networks were asked
 * for than before. They are kept, and a table that has them again costs nothing; but nobody should miss them unaware.
 */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runFiles } from "../runs/run-folder.ts";
import { chunkSize } from "./draw-classifiers.ts";
import { partsIn, runsIn, tablePaths } from "./pool-folder.ts";
import { decodeRows, type PoolRow } from "./pool-table.ts";

interface InTable {
  /** Of the pool: parts of others are not counted. */
  id: string;
  rows: readonly PoolRow[];
  /** Paths of parts and folders of runs that were asked for. */
  parts: readonly string[];
  runs: readonly string[];
}

/** Before the new table is written. Of a last part that was asked for in part, those are counted that the old table has. */
export async function countLeftOut(out: string, { id, rows, parts, runs }: InTable): Promise<number> {
  const others = [...(await partsIn(out))].filter(
    (path) => path.endsWith(`-${id}.parquet`) && !parts.includes(path),
  );
  const finished = (await readdir(runsIn(out)).catch(() => []))
    .map((name) => join(runsIn(out), name))
    .filter((folder) => existsSync(join(folder, runFiles.manifest)) && !runs.includes(folder));
  const now = classifiersIn(rows);
  const gone = [...(await classifiersBefore(out))].filter((classifier) => !now.has(classifier));
  return Math.max(others.length * chunkSize + finished.length, gone.length);
}

async function classifiersBefore(out: string): Promise<Set<string>> {
  const { parquet } = tablePaths(out);
  if (!existsSync(parquet)) return new Set();
  // A damaged table is about to be replaced.
  return classifiersIn(await decodeRows(parquet).catch(() => []));
}

/** A classifier of each fold is one of its own. */
export function classifiersIn(rows: readonly PoolRow[]): Set<string> {
  return new Set(
    rows.map(({ classifier, trained_on, held_out }) => `${trained_on}/${held_out} ${classifier}`),
  );
}
