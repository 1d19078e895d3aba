/** A training as people start it from the command line: where it goes, what is shown meanwhile and said at the end. */

import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { percentText } from "../core/words.ts";
import { historyNumbers } from "../training/history.ts";
import { type RunOptions, runInProcess } from "../training/run-process.ts";
import type { RunSpec } from "../training/run-spec.ts";
import { addOutputOptions, number, type OutputOptions } from "./options.ts";
import type { Session } from "./program.ts";
import { resultsPage } from "./results-page.ts";

export interface RunTrainingOptions extends OutputOptions {
  out: string;
  force?: boolean;
  checkpointSeconds: number;
  maxMinutes?: number;
  stages?: string;
  tensorboard?: string;
}

/** A timer cannot wait longer than 2³¹ ms, and would then not wait at all. */
const mostMinutes = 35_000;

function minutes(text: string): number {
  const value = number(text);
  if (value > 0 && value <= mostMinutes) return value;
  throw new InvalidArgumentError(`Expected a number above 0, up to ${mostMinutes}.`);
}

export function addRunOptions(command: Command): Command {
  return addOutputOptions(
    command
      .requiredOption("--out <folder>", "where to write the run; an interrupted one goes on from there")
      .option("--force", "start over what is there")
      .option(
        "--stages <folder>",
        "keep finished stages of methods here, and find those of runs that began alike",
      )
      .option(
        "--tensorboard <folder>",
        "also write epochs and accuracies for TensorBoard, into a folder in it named like the run's",
      )
      .option("--checkpoint-seconds <s>", "how often to save within an epoch", number, 60)
      .option("--max-minutes <m>", "save and stop after so long, with exit code 1", minutes),
  );
}

export async function runTraining(
  spec: RunSpec,
  options: RunTrainingOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  const out = resolve(options.out);
  const note = (text: string) => {
    if (!options.quiet) console.note(text);
  };
  const board = await beginBoard(options.tensorboard, out);
  const outcome = await runInProcess(spec, {
    out,
    force: options.force ?? false,
    resources: {
      checkpointSeconds: options.checkpointSeconds,
      ...(options.stages !== undefined && { stages: resolve(options.stages) }),
    },
    signal,
    maxMinutes: options.maxMinutes,
    ...(options.quiet ? {} : progressLine(console)),
    onEpoch: (record) => {
      const { stage, epoch, trainLoss, valLoss, valAccuracy } = record;
      board?.epoch({ stage, epoch, numbers: historyNumbers(record) });
      // Full batches make thousands of epochs a minute, most of which nobody validates.
      if (spec.data.features && valLoss === null) return;
      const val =
        valLoss === null ? "" : `, val loss ${valLoss.toFixed(4)}, val accuracy ${percentText(valAccuracy)}`;
      const where = stage === "train" ? "" : `${stage}, `;
      note(`${where}epoch ${epoch}: train loss ${trainLoss.toFixed(4)}${val}`);
    },
    onPhase: note,
  });
  if (outcome.state === "done") board?.accuracies(outcome.results.epoch, outcome.results.accuracy);
  await board?.end();
  if (outcome.state === "done") {
    if (options.json) console.json({ out, ...outcome.results });
    else console.print(resultsPage(outcome.results, out, outcome.trained));
    return;
  }
  const goOn = options.force
    ? "give the same command without --force to go on"
    : "the same command goes on from here";
  if (signal.aborted) console.note(`saved; ${goOn}`);
  signal.throwIfAborted();
  console.note(`stopped after ${options.maxMinutes} minutes and saved, not finished; ${goOn}`);
  if (options.json) console.json({ state: "stopped", out });
  finishWith(1);
}

async function beginBoard(folder: string | undefined, out: string) {
  if (folder === undefined) return undefined;
  const { TensorboardLog } = await import("../runs/tensorboard.ts");
  return TensorboardLog.begin(join(folder, basename(out)));
}

/** One line for both: training counts its images, and evaluation tells its own beside them. */
function progressLine(console: Session["console"]): Pick<RunOptions, "onProgress" | "onEvaluation"> {
  let line: ReturnType<typeof console.progress> | undefined;
  let [trained, total] = [0, 0];
  return {
    onProgress: ({ stage, epoch, epochs, loss, images, totalImages }) => {
      [trained, total] = [images, totalImages];
      line ??= console.progress("training", totalImages, "images");
      const where = stage === undefined ? "" : `${stage}, `;
      line.relabel(`${where}epoch ${epoch}/${epochs} loss ${loss.toFixed(4)}`, totalImages);
      line.update(images);
    },
    onEvaluation: ({ images, totalImages }) => {
      line ??= console.progress("evaluating", totalImages, "images");
      const count = (n: number) => n.toLocaleString("en");
      // A run that goes on with its evaluation alone has nothing else to count.
      if (total > 0) line.relabel(`evaluating ${count(images)}/${count(totalImages)}, training`, total);
      line.update(total > 0 ? trained : images);
    },
  };
}
