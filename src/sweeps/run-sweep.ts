/** A sweep from its file to what came of it: read, checked, recorded, driven. */

import { dirname, resolve } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { usePlaces } from "../plugins/at-hand.ts";
import { buildsOf } from "../runs/builds.ts";
import { DataBook } from "../training/data-book.ts";
import { type PoolRun, RunPool } from "../training/run-pool.ts";
import { describeSelection } from "../training/selection.ts";
import { tieWords } from "./choose-point.ts";
import { checkSweep, countRuns, driveSweep, type SweepOutcome } from "./drive-sweep.ts";
import { sweepEntries } from "./sweep-entries.ts";
import { parseSweep, type Sweep } from "./sweep-file.ts";
import { beginSweepRecord, hasSweep, writeSweepRecord } from "./sweep-record.ts";

/** With the plugins that it names, whose places are seen from the file. */
export async function readSweep(file: string): Promise<Sweep> {
  const text = await readPlainText(file).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the sweep",
      where: file,
      got: (cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : String(cause),
      cause,
    });
  });
  const sweep = await parseSweep(text, file);
  await usePlaces(sweep.plugins, dirname(resolve(file)));
  return sweep;
}

export interface RunSweepOptions {
  /** Where the runs go, each in a folder named by its id, with a record of the sweep beside them. */
  folder: string;
  workers: number;
  checkpointSeconds: number;
  signal: AbortSignal;
  /** Refuse to begin: something of it must be there already. */
  resume?: boolean | undefined;
  /** Once all that it asks for is known to be possible, with the number of runs. */
  onChecked?: (total: number) => void;
  onChange?: (runs: readonly PoolRun[]) => void;
}

export interface RanSweep {
  outcome: SweepOutcome;
  failed: readonly PoolRun[];
  /** What is kept of the outcome: everything but what the run folders hold. */
  record: object;
  /** What was asked, and the seeds of every entry's runs in their order. */
  file: Sweep;
  seeds: readonly number[];
}

export async function runSweep(sweep: Sweep, options: RunSweepOptions): Promise<RanSweep> {
  const { folder, workers, checkpointSeconds, signal, resume = false, onChecked, onChange } = options;
  if (resume && !(await hasSweep(folder, sweep.name))) {
    throw new CuelabError({
      kind: "usage",
      what: `there is no sweep "${sweep.name}" to go on with`,
      where: folder,
      todo: "check --out, or leave --resume away to begin one",
    });
  }
  const book = new DataBook();
  const specs = await checkSweep(sweep, book);
  // Only a search looks at data again.
  if (sweepEntries(sweep).every(({ search }) => search === undefined)) book.release();
  await beginSweepRecord(folder, sweep.name, { sweep });
  onChecked?.(countRuns(sweep, specs));
  const pool = new RunPool({
    folder,
    workers,
    signal,
    checkpointSeconds,
    sweep: sweep.name,
    onChange: () => onChange?.(pool.runs),
  });
  const outcome = await driveSweep(sweep, specs, pool);
  const record = recordOf(outcome);
  await writeSweepRecord(folder, sweep.name, { sweep, outcome: record });
  const failed = pool.runs.filter(({ state }) => state === "failed");
  return { outcome, record, failed, file: sweep, seeds: sweep.seeds };
}

function recordOf({ name, select, entries }: SweepOutcome): object {
  return {
    name,
    select: select === null ? null : { ...select, ...describeSelection(select) },
    entries: entries.map(({ select: rule, ties, runs, ...entry }) => ({
      ...entry,
      select: rule === null ? null : { ...rule, ...describeSelection(rule) },
      ties: ties.map((tie) => ({ ...tie, brokenBy: tieWords(tie.by, rule!) })),
      runs: runs.map(({ id, state, results, folder }) => ({
        id,
        state,
        builds: buildsOf(folder) ?? [],
        accuracy: results?.accuracy ?? [],
      })),
    })),
  };
}
