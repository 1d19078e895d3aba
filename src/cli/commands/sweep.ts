/** `cuelab sweep run`: many runs under one protocol. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { asText } from "../../reports/as-text.ts";
import { seedsNote } from "../../reports/formatted-table.ts";
import { studies } from "../../studies/index.ts";
import { presetNamed } from "../../studies/study.ts";
import { type RanSweep, readSweep, runSweep } from "../../sweeps/run-sweep.ts";
import { showSweep } from "../../sweeps/show-sweep.ts";
import { addOutputOptions, addRunsAtATime, type OutputOptions, type RunsAtATimeOptions } from "../options.ts";
import { PoolProgress } from "../pool-progress.ts";
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
      if (existsSync(file) || !studies.names.includes(study)) return runSweepFile(file, options, session);
      return runStudy(study, { ...options, preset: presetNamed(preset), set: [] }, session);
    });
}

async function runSweepFile(file: string, options: SweepOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const asked = await readSweep(file);
  const folder = resolve(options.out ?? "runs");
  const { workers, checkpointSeconds, resume, quiet } = options;
  let progress: PoolProgress | undefined;
  let ran: RanSweep;
  try {
    ran = await runSweep(asked, {
      folder,
      workers,
      checkpointSeconds,
      signal,
      resume,
      onChecked: (total) => {
        progress = new PoolProgress({ console, quiet, total, workers });
      },
      onChange: (runs) => progress?.update(runs),
    });
  } catch (cause) {
    if (signal.aborted) console.note("saved; the same command goes on from here");
    throw cause;
  } finally {
    progress?.clear();
  }
  if (options.json) console.json({ folder, ...ran.record });
  else console.print(asText(showSweep(ran, folder, seedsNote)));
  if (ran.failed.length > 0) finishWith(4);
}
