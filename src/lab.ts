/** The lab in six verbs, for those who write programs: train, predict, evaluate, sweep, read runs, choose settings. */

import { resolve } from "node:path";
import type { z } from "zod";
import {
  type EvaluatePredictionsOptions,
  evaluatePredictions,
} from "./audits/predictions/evaluate-predictions.ts";
import type { EvaluationReport } from "./audits/predictions/evaluation-report.ts";
import type { Dataset } from "./core/dataset.ts";
import { CuelabError } from "./core/errors.ts";
import { isDatasetName } from "./datasets/index.ts";
import { formats } from "./formats/index.ts";
import { writeDataset } from "./formats/write-dataset.ts";
import { recipeOf } from "./images/recipe.ts";
import { usePlaces } from "./plugins/at-hand.ts";
import { type DamagedRun, listRuns, type StoredRun } from "./runs/run-list.ts";
import type { SweepOutcome } from "./sweeps/drive-sweep.ts";
import { readSweep, runSweep } from "./sweeps/run-sweep.ts";
import { parseSweep, type Sweep } from "./sweeps/sweep-file.ts";
import type { ModelWords } from "./training/asked/open-model.ts";
import type { NetworkChoice } from "./training/asked/run-model.ts";
import { DataBook, type DataWords } from "./training/data-book.ts";
import type { PredictOptions } from "./training/predict.ts";
import { type PredictedData, predictData } from "./training/predict-data.ts";
import type { RunResults } from "./training/results.ts";
import { type RunOptions, runInProcess } from "./training/run-process.ts";
import { type NetworkWords, specFromWords } from "./training/spec-words.ts";

/** Data by name or path, in the words of a sweep's file, or as it is in memory. */
export type DataGiven = string | DataWords | Dataset;

type MethodWords = NonNullable<NetworkWords["method"]>;

export interface TrainOptions
  extends Omit<NetworkWords, "model" | "method">,
    Pick<RunOptions, "signal" | "maxMinutes" | "onProgress" | "onEvaluation" | "onEpoch" | "onPhase"> {
  data: DataGiven;
  /** A network by name, or with its options. */
  model: string | NetworkWords["model"];
  /** A method by name, or with its settings: see `chosen` for settings that are checked as they are typed. */
  method?: string | MethodWords;
  /** The run's folder; the same call goes on with a run that was interrupted, and finds one that is finished. */
  out: string;
  /** Starts over what is there. */
  force?: boolean;
  /** Where finished stages are kept for runs that begin alike. */
  stages?: string;
  checkpointSeconds?: number;
}

export interface TrainedRun {
  folder: string;
  results: RunResults;
}

/** One run, in a process of its own. */
export async function train(options: TrainOptions): Promise<TrainedRun> {
  const { data, model, method, out, force = false, stages, checkpointSeconds = 60, ...rest } = options;
  const { signal, maxMinutes, onProgress, onEvaluation, onEpoch, onPhase, ...words } = rest;
  const folder = resolve(out);
  const spec = await specFromWords(
    {
      ...words,
      data: await dataWords(data, `${folder}-data`, onPhase),
      model: typeof model === "string" ? { name: model } : model,
      ...(method !== undefined && { method: typeof method === "string" ? { name: method } : method }),
    },
    new DataBook(),
    signal,
  );
  const hooks = { onProgress, onEvaluation, onEpoch, onPhase };
  const given = Object.entries(hooks).filter(([, hook]) => hook !== undefined);
  const outcome = await runInProcess(spec, {
    out: folder,
    force,
    resources: { checkpointSeconds, ...(stages !== undefined && { stages: resolve(stages) }) },
    maxMinutes,
    ...(signal && { signal }),
    ...Object.fromEntries(given),
  });
  if (outcome.state === "done") return { folder, results: outcome.results };
  throw new CuelabError({
    kind: "failure",
    what: "the run was stopped before it was finished",
    where: folder,
    todo: "the same call goes on from there",
  });
}

export interface PredictGiven extends PredictOptions {
  data: DataGiven;
  /** A table to write, CSV or Parquet by its ending, as `cuelab predict` does. */
  out?: string;
  force?: boolean;
}

export type Predicted = PredictedData;

/** What a run's model, an ONNX file, or a network with its weights says of data. */
export async function predict(
  model: string | ModelWords | NetworkChoice,
  options: PredictGiven,
): Promise<Predicted> {
  const { data, ...asked } = options;
  const said = await predictData(model, {
    keepsLogits: true,
    ...asked,
    data: isDataset(data) ? data : wordsOf(data),
  });
  if (said === undefined) throw new CuelabError({ kind: "failure", what: "the prediction was stopped" });
  return said;
}

/** Every bias metric over tables of predictions, folders of runs, or several seeds of one model. */
export function evaluate(
  tables: string | readonly string[],
  options: Omit<EvaluatePredictionsOptions, "tables"> = {},
): Promise<EvaluationReport> {
  return evaluatePredictions({ ...options, tables: typeof tables === "string" ? [tables] : tables });
}

export interface SweepGiven {
  /** Where the runs go, each in a folder named by its id. */
  out: string;
  workers?: number;
  signal?: AbortSignal;
  checkpointSeconds?: number;
}

/** A sweep's file, or what would be in it: searches, then runs what was chosen with every seed. */
export async function sweep(given: string | object, options: SweepGiven): Promise<SweepOutcome> {
  const asked = typeof given === "string" ? await readSweep(given) : await sweepOf(given);
  const { outcome } = await runSweep(asked, {
    folder: resolve(options.out),
    workers: options.workers ?? 2,
    checkpointSeconds: options.checkpointSeconds ?? 60,
    signal: options.signal ?? new AbortController().signal,
  });
  return outcome;
}

async function sweepOf(given: object): Promise<Sweep> {
  const asked = await parseSweep(JSON.stringify(given), "the sweep");
  await usePlaces(asked.plugins, process.cwd());
  return asked;
}

/** Every finished run below a folder. One that is damaged is thrown, unless somebody wants to hear of it and have the others. */
export function readRuns(
  folder: string,
  { onDamaged }: { onDamaged?: (run: DamagedRun) => void } = {},
): StoredRun[] {
  return listRuns(folder, (run) => {
    if (onDamaged === undefined) throw run.cause;
    onDamaged(run);
  });
}

/** A method or dataset with settings that the compiler checks: `train({ method: chosen(groupDro, { stepSize: 0.1 }) })`. */
export function chosen<Schema extends z.ZodObject>(
  { name }: Typed<Schema>,
  settings: z.input<Schema>,
): { name: string; settings: z.input<Schema> } {
  return { name, settings };
}

/** What `defineMethod` and `defineDataset` give: the type of its settings goes along. */
interface Typed<Schema> {
  name: string;
  readonly typed?: Schema;
}

/**
 * In words that another process understands. What is only in this one's memory is written once, beside the run, and is
 * trained on from there.
 */
async function dataWords(
  data: DataGiven,
  spool: string,
  tell: ((note: string) => void) | undefined,
): Promise<DataWords> {
  if (!isDataset(data)) return wordsOf(data);
  const recipe = recipeOf(data.images);
  if (recipe?.kind === "made")
    return { name: recipe.name, settings: { ...recipe.settings }, seed: recipe.seed };
  if (recipe?.kind === "stored" && Object.keys(recipe.mapping).length === 0) return { path: recipe.path };
  tell?.(`the data is in this process's memory alone: written to ${spool} for the training process`);
  const lossless = { format: formats.get("parquet"), encoding: "png" as const, workers: 1 };
  await writeDataset(data, { ...lossless, out: spool, force: true });
  return { path: spool };
}

function wordsOf(data: string | DataWords): DataWords {
  if (typeof data !== "string") return data;
  return isDatasetName(data) ? { name: data } : { path: resolve(data) };
}

function isDataset(data: DataGiven): data is Dataset {
  return typeof data === "object" && "images" in data;
}
