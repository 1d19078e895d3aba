/** One training run, in this process: epochs, evaluation, selection, checkpoints, and the files it leaves. */

import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { Executable } from "../engine/executable.ts";
import { averageName } from "../engine/training/step.ts";
import { checkColumnNames } from "../formats/own-columns.ts";
import { methods } from "../methods/index.ts";
import type { Predictions } from "../store/predictions.ts";
import type { RunFolder } from "../store/run-folder.ts";
import { BatchFeed } from "./batch-feed.ts";
import { loadCheckpoint, type Position, saveCheckpoint } from "./checkpoint.ts";
import { checkFinite, checkLoss } from "./divergence.ts";
import { type Evaluation, type EvaluationHooks, evaluateSplits } from "./evaluate.ts";
import { finishRun, type Kept } from "./finish-run.ts";
import { firstWeights } from "./first-weights.ts";
import type { BatchBuffers, BatchRequest } from "./make-batch.ts";
import { checkMeasured, measure } from "./measurements.ts";
import { pixelsOf } from "./pixel-statistics.ts";
import { buildPrograms, type RunPrograms } from "./programs.ts";
import type { RunResults } from "./results.ts";
import { epochSelection, lengthOf, type RunResources, type RunSpec } from "./run-spec.ts";
import { checkSelection, scoreOf } from "./selection.ts";
import { evaluatedSplits, indicesOf } from "./splits.ts";
import { stemNotes } from "./stem-notes.ts";
import { checkTrainable, openTrainingData } from "./training-data.ts";

export interface EpochRecord {
  epoch: number;
  trainLoss: number;
  valLoss: number | null;
  valAccuracy: number | null;
}

export interface TrainingProgress {
  epoch: number;
  epochs: number;
  step: number;
  steps: number;
  loss: number;
  /** Images trained on so far in this process, for the rate. */
  images: number;
  totalImages: number;
}

export type { EvaluationProgress } from "./evaluate.ts";

export interface TrainingHooks extends Required<EvaluationHooks> {
  onProgress(progress: TrainingProgress): void;
  onEpoch(record: EpochRecord): void;
  onPhase(phase: string): void;
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
  const dataset = await openTrainingData(spec.data);
  let feed: BatchFeed | undefined;
  const executables: Executable[] = [];
  try {
    checkTrainable(dataset);
    if (spec.keep === undefined)
      checkColumnNames(Object.keys(dataset.attributes), "predictions", {
        where: spec.data.path ?? dataset.name,
      });
    const selection = epochSelection(spec);
    if (selection) checkSelection(selection, dataset);
    const { height, width } = dataset.images.shape!;
    const training = indicesOf(dataset, "train");
    const batchSize = Math.min(spec.batchSize, training.length);
    // The last, incomplete batch of an epoch is dropped; shuffling makes it other images every time.
    const stepsPerEpoch = Math.floor(training.length / batchSize);
    // Its thread reads the data while this one builds and compiles.
    feed = new BatchFeed(spec, dataset.images, batchSize);
    const weights = await firstWeights(spec, dataset);
    const pixels = await pixelsOf(spec, dataset);
    const programs = buildPrograms(spec, dataset, {
      batchSize,
      stepsPerEpoch,
      pixels,
      ...(weights && { weights }),
    });
    const notes = [
      ...batchNotes(spec, training.length),
      ...stemNotes(spec, height, width),
      ...programs.notes,
    ];
    for (const note of notes) hooks.onPhase(note);
    for (const program of [programs.evaluate, ...programs.passes.map((pass) => pass.program)]) {
      executables.push(await Executable.compile(program, { device: spec.device, threads: spec.threads }));
    }
    const [evaluation, ...passes] = executables as [Executable, ...Executable[]];
    const length = lengthOf(spec, stepsPerEpoch);
    checkMeasured(spec, length.steps);
    const parts = { dataset, training, batchSize, stepsPerEpoch, length, programs, feed, passes, evaluation };
    const kept = await new TrainingRun(spec, resources, folder, hooks, parts).toTheEnd();
    return kept && (await finishRun(spec, folder, hooks, { ...parts, pixels, ...kept }));
  } finally {
    await feed?.close();
    for (const executable of executables) await executable.close();
    await dataset.images.close?.();
  }
}

interface RunParts {
  dataset: Dataset;
  training: Uint32Array;
  batchSize: number;
  stepsPerEpoch: number;
  /** Of the whole run, unless patience ends it before. */
  length: ReturnType<typeof lengthOf>;
  programs: RunPrograms;
  feed: BatchFeed;
  /** Of `programs.passes`, in their order. */
  passes: Executable[];
  evaluation: Executable;
}

interface StepRequest {
  request: BatchRequest;
  /** The same images by their places among the training images. */
  places: Uint32Array;
  inEpoch: number;
  global: number;
}

class TrainingRun {
  readonly #spec: RunSpec;
  readonly #resources: RunResources;
  readonly #folder: RunFolder;
  readonly #hooks: TrainingHooks;
  readonly #parts: RunParts;
  #position: Position = { epoch: 0, step: 0, lossSum: 0, history: [] };
  #best: ReadonlyMap<string, Float32Array> = new Map();
  #saved = performance.now();
  #images = 0;
  /** The last measurement of this process, and the step that it was made after. */
  #last: { step: number; evaluation: Evaluation } | undefined;

  constructor(
    spec: RunSpec,
    resources: RunResources,
    folder: RunFolder,
    hooks: TrainingHooks,
    parts: RunParts,
  ) {
    this.#spec = spec;
    this.#resources = resources;
    this.#folder = folder;
    this.#hooks = hooks;
    this.#parts = parts;
  }

  /** Trains, or goes on training; undefined when asked to stop. */
  async toTheEnd(): Promise<Kept | undefined> {
    const { programs, evaluation } = this.#parts;
    const saved = await loadCheckpoint(this.#folder, programs.state, evaluation.kernels);
    if (saved) {
      this.#position = saved.position;
      this.#best = saved.bestWeights;
    }
    while (this.#position.epoch < this.#parts.length.epochs && !this.#patienceIsOver()) {
      if (!((await this.#epoch()) && (await this.#endEpoch()))) return undefined;
    }
    const { history, best, measured = [] } = this.#position;
    const isLast = best === undefined && this.#last?.step === this.#parts.length.steps;
    return {
      history,
      measured,
      evaluated: isLast ? this.#last!.evaluation : undefined,
      epoch: best?.epoch ?? history.length,
      weights: best ? this.#best : this.#currentWeights(),
    };
  }

  /** False when asked to stop in the middle. */
  async #epoch(): Promise<boolean> {
    const { stepsPerEpoch, length } = this.#parts;
    const position = this.#position;
    const before = position.epoch * stepsPerEpoch;
    const end = Math.min(stepsPerEpoch, length.steps - before);
    const stops = (this.#spec.measureSteps ?? []).map((step) => step - before);
    for (;;) {
      if (stops.includes(position.step) && !(await this.#measure(before + position.step))) return false;
      if (position.step === end) return true;
      const next = stops.filter((step) => step > position.step && step < end);
      if (!(await this.#train(Math.min(end, ...next)))) return false;
    }
  }

  /** Up to this step of the epoch; false when asked to stop before. */
  async #train(end: number): Promise<boolean> {
    const { batchSize, feed, length, stepsPerEpoch } = this.#parts;
    const position = this.#position;
    const requests = this.#requests(end);
    for await (const batch of feed.batches(requests.map(({ request }) => request))) {
      const value = await this.#update(requests[position.step - requests[0]!.inEpoch]!, batch);
      checkLoss(value, this.#spec.method.name, position);
      position.lossSum += value;
      position.step++;
      this.#images += batchSize;
      this.#hooks.onProgress({
        epoch: position.epoch + 1,
        epochs: length.epochs,
        step: position.step,
        steps: stepsPerEpoch,
        loss: position.lossSum / position.step,
        images: this.#images,
        totalImages:
          this.#images + batchSize * (length.steps - position.epoch * stepsPerEpoch - position.step),
      });
      if (this.#hooks.shouldStop()) {
        await this.#save();
        return false;
      }
      if (performance.now() - this.#saved > 1000 * this.#resources.checkpointSeconds) await this.#save();
    }
    return true;
  }

  /** Unless it was measured before; false when asked to stop in the middle, and then it begins again. */
  async #measure(step: number): Promise<boolean> {
    const { dataset } = this.#parts;
    const { measured = [] } = this.#position;
    if (measured.some((measurement) => measurement.step === step)) return true;
    const names = evaluatedSplits(dataset);
    const evaluation = await evaluateSplits(names, this.#currentWeights(), this.#parts, this.#hooks);
    if (evaluation === undefined) {
      await this.#save();
      return false;
    }
    this.#last = { step, evaluation };
    this.#position.measured = [
      ...measured,
      { step, slices: measure(dataset, evaluation.predictions, this.#spec) },
    ];
    return true;
  }

  /** What is left of this epoch up to a step. */
  #requests(end: number): StepRequest[] {
    const { training, stepsPerEpoch, programs } = this.#parts;
    const { epoch, step } = this.#position;
    const placesAt = programs.sampler(epoch);
    return Array.from({ length: end - step }, (_, i) => {
      const inEpoch = step + i;
      const places = placesAt(inEpoch);
      const global = epoch * stepsPerEpoch + inEpoch;
      const request = { indices: places.map((place) => training[place]!), step: global };
      return { inEpoch, global, places, request };
    });
  }

  /** Every update that the method makes with a batch; the first one's loss. */
  async #update({ global, places }: StepRequest, batch: BatchBuffers): Promise<number> {
    const { programs, passes } = this.#parts;
    const fed = { images: batch.images, ...programs.feeds(places, batch) };
    const losses: number[] = [];
    for (const [i, pass] of programs.passes.entries()) {
      const { loss } = await passes[i]!.run(
        { ...fed, ...pass.scalars(global, programs.rate(global)) },
        { state: programs.state, random: (key) => randomStream(this.#spec.seed, key).at(global) },
      );
      losses.push(loss![0]!);
    }
    return losses[0]!;
  }

  /** False when asked to stop in the middle: all steps are done then, and evaluation begins again. */
  async #endEpoch(): Promise<boolean> {
    const position = this.#position;
    const weights = this.#currentWeights();
    const splits = this.#spec.keep === "accuracies" ? [] : ["val"];
    const val = await evaluateSplits(splits, weights, this.#parts, this.#hooks);
    if (val === undefined) {
      await this.#save();
      return false;
    }
    if (val.loss !== null) checkFinite(val.loss, `epoch ${position.epoch + 1}, validation`);
    const record: EpochRecord = {
      epoch: position.epoch + 1,
      trainLoss: position.lossSum / position.step,
      valLoss: val.loss,
      valAccuracy: val.accuracy,
    };
    this.#keepIfBest(record.epoch, val.predictions, weights);
    this.#position = {
      ...position,
      epoch: position.epoch + 1,
      step: 0,
      lossSum: 0,
      history: [...position.history, record],
    };
    this.#hooks.onEpoch(record);
    await this.#save();
    return true;
  }

  #keepIfBest(epoch: number, predictions: Predictions, weights: Map<string, Float32Array>): void {
    const selection = epochSelection(this.#spec);
    if (selection === undefined) return;
    const value = scoreOf(selection, this.#parts.dataset, predictions);
    const { best } = this.#position;
    if (best !== undefined && !(value > best.value)) return;
    this.#position.best = { epoch, value };
    this.#best = new Map([...weights].map(([name, data]) => [name, Float32Array.from(data)]));
  }

  #patienceIsOver(): boolean {
    const { patience } = this.#spec;
    const { best, history } = this.#position;
    return patience !== undefined && best !== undefined && history.length - best.epoch >= patience;
  }

  /** The averages where they are kept, else the weights themselves. */
  #currentWeights(): Map<string, Float32Array> {
    const { state, weights } = this.#parts.programs;
    return new Map(
      weights.map((name) => [name, state.get(state.has(averageName(name)) ? averageName(name) : name)]),
    );
  }

  async #save(): Promise<void> {
    const { programs, evaluation } = this.#parts;
    await saveCheckpoint(this.#folder, programs.state, {
      position: this.#position,
      bestWeights: this.#best,
      kernels: evaluation.kernels,
    });
    this.#saved = performance.now();
  }
}

/** What the batch size means for these data, where it is not what one would think. */
function batchNotes({ batchSize, method }: RunSpec, images: number): string[] {
  const count = (n: number) => n.toLocaleString("en");
  const { sampling = "shuffled" } = methods.get(method.name);
  if (sampling !== "shuffled") {
    return [`an epoch draws ${count(images)} training images with replacement, as whole batches allow`];
  }
  if (batchSize > images) {
    return [
      `all ${count(images)} training images make one batch: the batch size of ${count(batchSize)} is larger`,
    ];
  }
  const dropped = images % batchSize;
  if (dropped === 0) return [];
  return [
    `${count(dropped)} of ${count(images)} training images, others each time, are left out of an epoch`,
  ];
}
