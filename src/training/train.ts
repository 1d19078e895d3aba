/** One training run, in this process: its data and network made ready, the method's stages, and the files it leaves. */

import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { checkColumnNames } from "../core/own-columns.ts";
import { methods, supervisionOf } from "../methods/index.ts";
import { type RunFolder, stagesFolder } from "../runs/run-folder.ts";
import { BatchFeed, type ImageBatches } from "./batch-feed.ts";
import { type Allowed, allowedBy } from "./check-chains.ts";
import { drawPictures } from "./draw-pictures.ts";
import type { EvaluationHooks } from "./evaluator.ts";
import { exportModel } from "./export-model.ts";
import { finishRun } from "./finish-run.ts";
import { firstWeights } from "./first-weights.ts";
import { pixelsOf } from "./pixel-statistics.ts";
import type { RunResults } from "./results.ts";
import { type RunResources, type RunSpec, runSelections } from "./run-spec.ts";
import { checkSelection } from "./selection.ts";
import { indicesOf } from "./splits.ts";
import { openRun, type RunGiven } from "./stages/open-run.ts";
import type { RunParts } from "./stages/run-parts.ts";
import { runStages } from "./stages/run-stages.ts";
import { StageStore } from "./stages/stage-store.ts";
import { stemNotes } from "./stem-notes.ts";
import { checkMeasurable, checkTrainable, openTrainingData } from "./training-data.ts";
import { encodeWeights } from "./weights.ts";

export interface EpochRecord {
  stage: string;
  /** Within its stage. */
  epoch: number;
  trainLoss: number;
  valLoss: number | null;
  valAccuracy: number | null;
  /** Numbers of the method's own, and what validation predictions follow. */
  columns?: Record<string, number>;
}

export interface TrainingProgress {
  /** Where a method has several. */
  stage?: string;
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  loss: number;
  /** Images trained on so far in this stage and process, for the rate. */
  images: number;
  totalImages: number;
}

export type { EvaluationProgress } from "./evaluator.ts";

export interface TrainingHooks extends Required<EvaluationHooks> {
  onProgress(progress: TrainingProgress): void;
  onEpoch(record: EpochRecord): void;
  onPhase(phase: string): void;
  /** Everything is there but the mark that says so. */
  onFinishing?(): Promise<void>;
  /** Asked between steps, also of evaluation; true ends the run early, with a checkpoint to go on from. */
  shouldStop(): boolean;
}

/** The results, or undefined where the run was asked to stop and can be resumed. */
export async function train(
  spec: RunSpec,
  resources: RunResources,
  folder: RunFolder,
  hooks: TrainingHooks,
): Promise<RunResults | undefined> {
  if (spec.data.features) {
    const { trainOnFeatures } = await import("./train-features.ts");
    return trainOnFeatures(spec, resources, folder, hooks);
  }
  const dataset = await openTrainingData(spec.data, { unchanged: true });
  let feed: BatchFeed | undefined;
  try {
    checkTrainable(dataset);
    checkMeasurable(dataset, spec.data);
    // Its thread reads the data while this one builds and compiles.
    feed = new BatchFeed({ dataset, seed: spec.seed, allowed: allowedIn(spec) });
    return await trainOnImages({ spec, resources, folder, hooks, dataset, feed });
  } finally {
    await feed?.close();
    await dataset.images.close?.();
  }
}

export interface ImageRun extends Omit<RunGiven, "first" | "inputs"> {
  feed: ImageBatches;
}

/** A run on data that is open already; undefined where it was asked to stop. */
export async function trainOnImages({ feed, ...given }: ImageRun): Promise<RunResults | undefined> {
  const { spec, dataset, hooks } = given;
  checkRun(spec, dataset);
  const { height, width } = dataset.images.shape!;
  const batchSize = Math.min(spec.batchSize, indicesOf(dataset, "train").length);
  const fitted = { classes: dataset.classNames.length, image: dataset.images.shape! };
  const first = await firstWeights(spec, fitted, { onGuess: (guess) => hooks.onPhase(guess) });
  const pixels = await pixelsOf(spec, dataset);
  for (const note of stemNotes(spec, height, width)) hooks.onPhase(note);
  const inputs = { kind: "images" as const, feed, pixels, batchSize };
  const { run, prediction, close } = await openRun({ ...given, first, inputs });
  try {
    return await trainStages(run, {
      model: (values) => exportModel(run, values),
      weights: (values) => encodeWeights(spec, dataset, values, pixels, prediction.own),
      pictures: (values) => drawPictures(run, values),
    });
  } finally {
    await close();
  }
}

/** Pictures and boxes that the run itself asks for, and those that its method may have. */
function allowedIn({ augment, method: { name, settings } }: RunSpec): Allowed {
  const own = allowedBy(augment);
  const { sides = [], boxes = [] } = supervisionOf(methods.get(name), settings);
  return { sides: [...own.sides, ...sides], boxes: [...own.boxes, ...boxes] };
}

/** What is the same for images and for features, before anything is computed. */
export function checkRun(spec: RunSpec, dataset: Dataset): void {
  if (spec.keep === undefined)
    checkColumnNames(Object.keys(dataset.attributes), "predictions", {
      where: spec.data.path ?? dataset.name,
    });
  for (const rule of runSelections(spec)) checkSelection(rule, dataset);
}

/** The method's stages, and the files of the run. */
export async function trainStages(
  run: RunParts,
  files: Parameters<typeof finishRun>[2],
): Promise<RunResults | undefined> {
  const { resources, folder } = run;
  const store = new StageStore(resources.stages ?? join(folder.path, stagesFolder));
  const end = await runStages(run, store);
  const results = end && (await finishRun(run, end, files));
  // Nobody else looks for them there.
  if (results !== undefined && resources.stages === undefined) await store.remove();
  return results;
}
