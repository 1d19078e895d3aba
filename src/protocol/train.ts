/** One training run, in this process: epochs, evaluation, selection, checkpoints, and the files it leaves. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { version } from "../core/version.ts";
import { Executable } from "../engine/executable.ts";
import { averageName } from "../engine/training/step.ts";
import type { PixelStatistics } from "../models/model.ts";
import { encodePredictions, predictedClasses } from "../store/predictions.ts";
import { type RunFolder, runFiles } from "../store/run-folder.ts";
import { BatchFeed } from "./batch-feed.ts";
import { loadCheckpoint, type Position, saveCheckpoint } from "./checkpoint.ts";
import { evaluateSplits } from "./evaluate.ts";
import { exportModel } from "./export-model.ts";
import type { BatchRequest } from "./make-batch.ts";
import { buildPrograms, type RunPrograms } from "./programs.ts";
import { accuracyTable, type RunResults } from "./results.ts";
import type { RunResources, RunSpec } from "./run-spec.ts";
import { checkTrainable, indicesOf, openTrainingData } from "./training-data.ts";

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

export interface TrainingHooks {
  onProgress(progress: TrainingProgress): void;
  onEpoch(record: EpochRecord): void;
  onPhase(phase: string): void;
  /** Asked between steps; true saves a checkpoint and ends the run early. */
  shouldStop(): boolean;
}

/** Larger losses than this are numbers only by name. */
const explodedLoss = 1e8;

/** The results, or undefined where the run was asked to stop and can be resumed. */
export async function train(
  spec: RunSpec,
  resources: RunResources,
  folder: RunFolder,
  hooks: TrainingHooks,
): Promise<RunResults | undefined> {
  const dataset = await openTrainingData(spec.data);
  checkTrainable(dataset);
  const { height, width, channels } = dataset.images.shape!;
  const training = indicesOf(dataset, "train");
  const batchSize = Math.min(spec.batchSize, training.length);
  // The last, incomplete batch of an epoch is dropped; shuffling makes it other images every time.
  const stepsPerEpoch = Math.floor(training.length / batchSize);
  const pixels = await pixelStatistics(dataset, training);
  const programs = buildPrograms(spec, dataset, { batchSize, stepsPerEpoch, pixels });
  const feed = new BatchFeed(spec, batchSize, height * width * channels);
  const [step, evaluation] = await Promise.all([
    Executable.compile(programs.step.program, resources),
    Executable.compile(programs.evaluate, resources),
  ]);
  try {
    const run = new TrainingRun(spec, resources, folder, hooks, {
      dataset,
      training,
      batchSize,
      stepsPerEpoch,
      programs,
      feed,
      step,
      evaluation,
    });
    const kept = await run.toTheEnd();
    if (kept === undefined) return undefined;
    return await finish(spec, folder, hooks, {
      dataset,
      batchSize,
      feed,
      evaluation,
      programs,
      pixels,
      ...kept,
    });
  } finally {
    await feed.close();
    await step.close();
    await evaluation.close();
    await dataset.images.close?.();
  }
}

interface RunParts {
  dataset: Dataset;
  training: Uint32Array;
  batchSize: number;
  stepsPerEpoch: number;
  programs: RunPrograms;
  feed: BatchFeed;
  step: Executable;
  evaluation: Executable;
}

interface Kept {
  weights: Map<string, Float32Array>;
  history: EpochRecord[];
  epoch: number;
}

class TrainingRun {
  readonly #spec: RunSpec;
  readonly #resources: RunResources;
  readonly #folder: RunFolder;
  readonly #hooks: TrainingHooks;
  readonly #parts: RunParts;
  #position: Position = { epoch: 0, step: 0, lossSum: 0, history: [] };
  #best = new Map<string, Float32Array>();
  #saved = performance.now();
  #images = 0;

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
    const { programs } = this.#parts;
    const saved = await loadCheckpoint(this.#folder, programs.state);
    if (saved) {
      this.#position = saved.position;
      this.#best = saved.bestWeights;
    }
    while (this.#position.epoch < this.#spec.epochs && !this.#patienceIsOver()) {
      if (!(await this.#epoch())) return undefined;
      await this.#endEpoch();
    }
    const { history, best } = this.#position;
    return {
      history,
      epoch: best?.epoch ?? history.length,
      weights: best ? this.#best : this.#currentWeights(),
    };
  }

  /** False when asked to stop in the middle. */
  async #epoch(): Promise<boolean> {
    const { stepsPerEpoch, batchSize, feed, programs, step, dataset } = this.#parts;
    const position = this.#position;
    const requests = this.#requests();
    for await (const batch of feed.batches(requests.map(({ request }) => request))) {
      const { request, global } = requests[position.step - requests[0]!.inEpoch]!;
      const labels = Int32Array.from(request.indices, (i) => dataset.labels[i]!);
      const { loss } = await step.run(
        {
          images: batch.images,
          labels,
          ...(programs.mixes
            ? {
                partnerLabels: Int32Array.from(batch.partners, (i) => labels[i]!),
                shares: batch.shares,
              }
            : {}),
          ...programs.step.scalars(global, programs.rate(global)),
        },
        { state: programs.state, random: (key) => randomStream(this.#spec.seed, key).at(global) },
      );
      const value = loss![0]!;
      checkLoss(value, position.epoch, position.step);
      position.lossSum += value;
      position.step++;
      this.#images += batchSize;
      this.#hooks.onProgress({
        epoch: position.epoch + 1,
        epochs: this.#spec.epochs,
        step: position.step,
        steps: stepsPerEpoch,
        loss: position.lossSum / position.step,
        images: this.#images,
        totalImages:
          this.#images + batchSize * ((this.#spec.epochs - position.epoch) * stepsPerEpoch - position.step),
      });
      if (this.#hooks.shouldStop()) {
        await this.#save();
        return false;
      }
      if (performance.now() - this.#saved > 1000 * this.#resources.checkpointSeconds) await this.#save();
    }
    return true;
  }

  /** What is left of this epoch. */
  #requests(): { request: BatchRequest; inEpoch: number; global: number }[] {
    const { training, batchSize, stepsPerEpoch } = this.#parts;
    const { epoch, step } = this.#position;
    const order = randomStream(this.#spec.seed, "order").at(epoch).permutation(training.length);
    return Array.from({ length: stepsPerEpoch - step }, (_, i) => {
      const inEpoch = step + i;
      const chosen = order.subarray(inEpoch * batchSize, (inEpoch + 1) * batchSize);
      const global = epoch * stepsPerEpoch + inEpoch;
      return { inEpoch, global, request: { indices: chosen.map((j) => training[j]!), step: global } };
    });
  }

  async #endEpoch(): Promise<void> {
    const { dataset, evaluation, feed, batchSize, stepsPerEpoch } = this.#parts;
    const position = this.#position;
    const weights = this.#currentWeights();
    const val = await evaluateSplits(dataset, ["val"], weights, evaluation, feed, batchSize);
    const record: EpochRecord = {
      epoch: position.epoch + 1,
      trainLoss: position.lossSum / stepsPerEpoch,
      valLoss: val.loss,
      valAccuracy: val.accuracy,
    };
    this.#keepIfBest(record, weights);
    this.#position = {
      ...position,
      epoch: position.epoch + 1,
      step: 0,
      lossSum: 0,
      history: [...position.history, record],
    };
    this.#hooks.onEpoch(record);
    await this.#save();
  }

  #keepIfBest(record: EpochRecord, weights: Map<string, Float32Array>): void {
    const { select } = this.#spec;
    if (select === "last") return;
    const value = select === "val-loss" ? record.valLoss : record.valAccuracy;
    if (value === null) {
      throw new CuelabError({
        kind: "input",
        what: `cannot select the epoch by ${select}: there are no validation images`,
        todo: "use --select last, or give some images the split val",
      });
    }
    const { best } = this.#position;
    const better = best === undefined || (select === "val-loss" ? value < best.value : value > best.value);
    if (!better) return;
    this.#position.best = { epoch: record.epoch, value };
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
    await saveCheckpoint(this.#folder, this.#position, this.#parts.programs.state, this.#best);
    this.#saved = performance.now();
  }
}

async function finish(
  spec: RunSpec,
  folder: RunFolder,
  hooks: TrainingHooks,
  parts: Pick<RunParts, "dataset" | "batchSize" | "feed" | "evaluation" | "programs"> &
    Kept & { pixels: PixelStatistics },
): Promise<RunResults> {
  const { dataset, batchSize, feed, evaluation, weights, history, epoch, pixels } = parts;
  hooks.onPhase("evaluating");
  const names = dataset.splits.names.filter((name) => name !== "train");
  const { predictions } = await evaluateSplits(dataset, names, weights, evaluation, feed, batchSize);
  const results: RunResults = {
    id: folder.id,
    epoch,
    accuracy: accuracyTable(dataset, predictions.indices, predictedClasses(predictions)),
  };
  const rows = history.map((row) =>
    [row.epoch, row.trainLoss, row.valLoss ?? "", row.valAccuracy ?? ""].join(","),
  );
  await folder.write(runFiles.history, `epoch,train_loss,val_loss,val_accuracy\n${rows.join("\n")}\n`);
  await folder.write(runFiles.predictions, await encodePredictions(dataset, predictions));
  await folder.write(runFiles.model, exportModel(spec, dataset, weights, pixels));
  await folder.write(runFiles.results, `${JSON.stringify(results, null, 2)}\n`);
  await folder.finish(version);
  return results;
}

function checkLoss(loss: number, epoch: number, step: number): void {
  if (Math.abs(loss) < explodedLoss) return;
  throw new CuelabError({
    kind: "failure",
    what: Number.isFinite(loss) ? "the loss exploded" : "the loss is no longer a number",
    where: `epoch ${epoch + 1}, step ${step + 1}`,
    got: `${loss}`,
    todo: "lower --lr, add --clip 1 or --warm-up 100, or check the data for extreme values",
  });
}

/** Mean and deviation of each channel over evenly spaced training images. */
async function pixelStatistics({ images }: Dataset, training: Uint32Array): Promise<PixelStatistics> {
  const { channels } = images.shape!;
  const sampled = Math.min(training.length, 2000);
  const [sums, squares] = [new Float64Array(channels), new Float64Array(channels)];
  let count = 0;
  for (let i = 0; i < sampled; i++) {
    const { data } = await images.pixels(training[Math.floor((i * training.length) / sampled)]!);
    for (let at = 0; at < data.length; at++) {
      const value = data[at]! / 255;
      sums[at % channels]! += value;
      squares[at % channels]! += value * value;
    }
    count += data.length / channels;
  }
  const mean = [...sums].map((sum) => sum / count);
  // A channel that never changes is left as it is rather than divided by zero.
  const deviation = mean.map((m, c) => Math.sqrt(Math.max(0, squares[c]! / count - m * m)) || 1);
  return { mean, deviation };
}
