/** `cuelab sweep run`: many runs under one protocol. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { usePlaces } from "../../plugins/at-hand.ts";
import { textTable } from "../../reports/as-text.ts";
import { comparedCell, seedsCellOf } from "../../reports/comparison.ts";
import { seedsNote, shownText } from "../../reports/formatted-table.ts";
import { studies } from "../../studies/index.ts";
import { presetNamed } from "../../studies/study.ts";
import {
  checkSweep,
  countRuns,
  driveSweep,
  type EntryOutcome,
  type SweepOutcome,
} from "../../sweeps/drive-sweep.ts";
import { parseSweep } from "../../sweeps/sweep-file.ts";
import { beginSweepRecord, hasSweep, writeSweepRecord } from "../../sweeps/sweep-record.ts";
import { DataBook } from "../../training/data-book.ts";
import { type PoolRun, RunPool } from "../../training/run-pool.ts";
import { describeSelection } from "../../training/selection.ts";
import { addOutputOptions, addRunsAtATime, type OutputOptions, type RunsAtATimeOptions } from "../options.ts";
import { lineOf, PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";
import { runStudy } from "./study.ts";

interface SweepOptions extends OutputOptions, RunsAtATimeOptions {
  out?: string;
}

export function addSweep(program: Command, session: Session): void {
  const sweep = program.command("sweep").description("many runs under one protocol");
  const command = sweep
    .command("run <file.yaml|study>")
    .description("search hyperparameters, then run what was chosen with every seed")
    .option("--out <folder>", "where the runs go, each in a folder named by its id (default: runs)");
  addOutputOptions(addRunsAtATime(command))
    .addHelpText(
      "after",
      `
What is finished is never run again: give the same command after an interruption, a crash or an edit of the file, on
as many machines as see the folder. A failed run is tried once more, then listed, and the exit code is 4.

A study's name, with its preset, does what 'cuelab study run' does, and writes where that does.

Example of a file:
  name: rates
  base:
    data: { name: colored-mnist, settings: { trainPerEnvironment: 1000 } }
    model: { name: small-cnn }
    epochs: 3
  runs:
    - { label: plain, method: { name: erm } }
  search:
    stages: [{ grid: { optimiser.rate: [0.001, 0.0003], optimiser.weightDecay: [0, 0.001] } }, { own: true }]
    select: { by: val-accuracy }
  seeds: [0, 1, 2]

Examples:
  $ cuelab sweep run rates.yaml --out runs
  $ cuelab sweep run rates.yaml --out runs --workers 1 --json
  $ cuelab sweep run biased-mnist:quick`,
    )
    .action((file: string, options: SweepOptions) => {
      const [study, preset = "quick"] = file.split(":") as [string, string?];
      if (existsSync(file) || !studies.names.includes(study)) return runSweep(file, options, session);
      return runStudy(study, { ...options, preset: presetNamed(preset), set: [] }, session);
    });
}

async function runSweep(
  file: string,
  options: SweepOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  const sweep = await parseSweep(await readText(file), file);
  await usePlaces(sweep.plugins, dirname(resolve(file)));
  const folder = resolve(options.out ?? "runs");
  if (options.resume && !(await hasSweep(folder, sweep.name))) {
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
  if (sweep.search === undefined) book.release();
  await beginSweepRecord(folder, sweep.name, { sweep });
  const progress = new PoolProgress({
    console,
    quiet: options.quiet,
    total: countRuns(sweep, specs),
    workers: options.workers,
  });
  const pool = new RunPool({
    folder,
    workers: options.workers,
    signal,
    checkpointSeconds: options.checkpointSeconds,
    onChange: () => progress.update(pool.runs),
  });
  let outcome: SweepOutcome;
  try {
    outcome = await driveSweep(sweep, specs, pool);
  } catch (cause) {
    if (signal.aborted) console.note("saved; the same command goes on from here");
    throw cause;
  } finally {
    progress.clear();
  }
  await writeSweepRecord(folder, sweep.name, { sweep, outcome: recordOf(outcome) });
  const failed = pool.runs.filter(({ state }) => state === "failed");
  if (options.json) console.json({ folder, ...recordOf(outcome) });
  else console.print(page(outcome, failed, folder));
  if (failed.length > 0) finishWith(4);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the sweep",
      where: file,
      got: String(cause),
      cause,
    });
  }
}

/** What is kept of the outcome: everything but what the run folders hold. */
function recordOf({ name, select, entries }: SweepOutcome) {
  return {
    name,
    select: select === null ? null : { ...select, ...describeSelection(select) },
    entries: entries.map(({ label, chosen, score, trials, runs }) => ({
      label,
      chosen,
      score,
      trials,
      runs: runs.map(({ id, state, results }) => ({ id, state, accuracy: results?.accuracy ?? [] })),
    })),
  };
}

function page({ select, entries }: SweepOutcome, failed: readonly PoolRun[], folder: string): string {
  const slices = [...new Set(entries.flatMap(({ runs }) => runs.flatMap(({ results }) => names(results))))];
  const rule = select === null ? undefined : describeSelection(select);
  return [
    textTable(
      ["entry", "chosen", ...slices],
      entries.map((entry) => [
        entry.label,
        Object.entries(entry.chosen)
          .map(([path, value]) => `${path}=${String(value)}`)
          .join(" ") || "–",
        ...slices.map((slice) => spread(entry, slice)),
      ]),
    ),
    "",
    ...(rule ? [`hyperparameters chosen by ${rule.rule}; labels needed for that: ${rule.labels}`] : []),
    `accuracies in per cent, ${seedsNote}`,
    ...(failed.length === 0 ? [] : ["", "failed:", ...failed.map(lineOf)]),
    `runs in ${folder}`,
  ].join("\n");
}

function names(results: PoolRun["results"]): string[] {
  return (results?.accuracy ?? []).map(({ slice }) => slice);
}

function spread({ runs }: EntryOutcome, slice: string): string {
  const results = runs.flatMap((run) => run.results ?? []);
  return shownText(seedsCellOf(comparedCell(results, slice)));
}
