/** `cuelab sweep run`: many runs under one protocol. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import type { AnswerPage } from "../../reports/as-html.ts";
import { asText } from "../../reports/as-text.ts";
import { seedsNote } from "../../reports/formatted-table.ts";
import { studies } from "../../studies/index.ts";
import { presetNamed } from "../../studies/study.ts";
import { planSweep, showPlan } from "../../sweeps/plan-sweep.ts";
import { type RanSweep, readSweep, runSweep } from "../../sweeps/run-sweep.ts";
import { showSweep, sweepPage, sweepSentence } from "../../sweeps/show-sweep.ts";
import { type AnswerOptions, addAnswerOptions, checkReport, writePage } from "../answers.ts";
import { addRunsAtATime, type RunsAtATimeOptions } from "../options.ts";
import { PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";
import { runStudy } from "./study.ts";

interface SweepOptions extends AnswerOptions, RunsAtATimeOptions {
  out?: string;
  dryRun?: boolean;
}

export function addSweep(program: Command, session: Session): void {
  const sweep = program.command("sweep").description("many runs under one protocol");
  const command = sweep
    .command("run <file.yaml|study>")
    .description("search hyperparameters, then run what was chosen with every seed")
    .option("--out <folder>", "where the runs go, each in a folder named by its id (default: runs)");
  addAnswerOptions(addRunsAtATime(command))
    .option("--force", "replace a page that is there already; runs are never replaced")
    .option("--dry-run", "only say how many runs, how many are done before, and how long similar ones took")
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
  seeds: [0, 1, 2]                   # or 3, for these

Instead of base.data, a list 'datasets: [{ label: A, data: { name: colored-mnist } }, …]' runs every entry on each.

Examples:
  $ cuelab sweep run rates.yaml --dry-run
  $ cuelab sweep run rates.yaml --out runs
  $ cuelab sweep run rates.yaml --out runs --workers 1 --json
  $ cuelab sweep run biased-mnist:quick`,
    )
    .action((file: string, options: SweepOptions) => {
      const [study, preset = "quick"] = file.split(":") as [string, string?];
      if (existsSync(file) || !studies.names.includes(study)) return runSweepFile(file, options, session);
      if (options.dryRun || options.report !== undefined)
        throw new CuelabError({
          kind: "usage",
          what: `${options.dryRun ? "--dry-run" : "--report"} is for a sweep's file`,
          todo: `'cuelab study show ${study}' says what the study does; it writes a page by itself`,
        });
      return runStudy(study, { ...options, preset: presetNamed(preset), set: [] }, session);
    });
}

async function runSweepFile(file: string, options: SweepOptions, session: Session): Promise<void> {
  const { console, signal, finishWith } = session;
  const asked = await readSweep(file);
  const folder = resolve(options.out ?? "runs");
  const { workers, checkpointSeconds, resume, quiet } = options;
  if (options.dryRun) {
    const plan = await planSweep(asked, { folder, workers });
    if (options.json) console.json(plan);
    else console.print(asText(showPlan(plan)));
    return;
  }
  await checkReport(options);
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
  await writePage(() => pageOf(ran, folder), options, console);
  if (options.json) console.json({ folder, ...ran.record });
  else {
    const last = { name: "in-short", heading: "", text: sweepSentence(ran) };
    console.print(asText([...showSweep(ran, folder, seedsNote), last]));
  }
  if (ran.failed.length > 0) finishWith(4);
}

function pageOf(ran: RanSweep, folder: string): AnswerPage {
  const { lead, sections } = sweepPage(ran, folder, seedsNote);
  const count = ran.outcome.entries.length;
  const about = `${count} ${count === 1 ? "entry" : "entries"} under one protocol, with ${ran.seeds.length} seeds each.`;
  return { title: `Sweep ${ran.outcome.name}`, lead: about, inShort: [lead], sections };
}
