/** A run on stored features: logistic regression, with the files of every other run. */

import { z } from "zod";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { resolveSettings } from "../core/settings.ts";
import { version } from "../core/version.ts";
import { add, constant, input, matmul } from "../engine/expressions.ts";
import { emitProgram } from "../engine/program.ts";
import { checkColumnNames } from "../formats/own-columns.ts";
import { type FeatureSet, readFeatures } from "../store/feature-folder.ts";
import { encodePredictions, predictedClasses } from "../store/predictions.ts";
import { originOf, RunFolder, runFiles } from "../store/run-folder.ts";
import { encodeSafetensors } from "../store/safetensors.ts";
import { scoresOf } from "./evaluate.ts";
import { applyLastLayer, type LastLayer, trainLastLayer } from "./last-layer.ts";
import { accuracyTable, type RunResults } from "./results.ts";
import { lastEpoch } from "./selection.ts";
import { evaluatedSplits, indicesOf } from "./splits.ts";
import type { EpochRecord } from "./train.ts";
import { checkTrainingImages } from "./training-data.ts";
import type { LayerAbout } from "./weights-about.ts";

export const featureSpecSchema = z.strictObject({
  kind: z.literal("last-layer").default("last-layer"),
  data: z.strictObject({ path: z.string().optional(), identity: z.string() }),
  optimiser: z
    .strictObject({
      name: z.enum(["adam", "sgd"]).default("adam"),
      rate: z.number().positive().default(0.01),
      momentum: z.number().min(0).lt(1).default(0.9),
    })
    .prefault({}),
  schedule: z.enum(["constant", "cosine"]).default("cosine"),
  epochs: z.number().int().min(1).default(20),
  /** Rows a step; without it all of them. */
  batchSize: z.number().int().min(1).optional(),
  /** l1·Σ|w| + l2/2·Σw², beside the mean loss. */
  l1: z.number().min(0).default(0),
  l2: z.number().min(0).default(0),
  /** Mean 0 and deviation 1 of each feature over the training images; undone in the layer that is kept. */
  standardise: z.boolean().default(true),
  seed: z.number().int().min(0).default(0),
  threads: z.number().int().min(1).max(256).default(2),
});

type FeatureSpec = z.output<typeof featureSpecSchema>;
export type FeatureSpecInput = z.input<typeof featureSpecSchema>;

export interface FeatureRunOptions {
  out: string;
  force: boolean;
  signal?: AbortSignal;
  onEpoch?: (record: EpochRecord, epochs: number) => void;
}

/** Validation is measured so many times at least, where epochs are single steps. */
const leastEvaluations = 20;

export async function trainOnFeatures(
  path: string,
  given: Omit<FeatureSpecInput, "data">,
  { out, force, signal, onEpoch }: FeatureRunOptions,
): Promise<{ results: RunResults; trained: boolean }> {
  const set = await readFeatures(path);
  const spec = resolveSettings(featureSpecSchema, { ...given, data: { path, identity: set.identity } });
  checkPenalty(spec);
  checkTrainingImages(set.dataset);
  checkColumnNames(Object.keys(set.dataset.attributes), "predictions", { where: path });
  const finished = force ? undefined : await RunFolder.readFinished(out, spec, runFiles.results);
  if (finished !== undefined) return { results: JSON.parse(finished) as RunResults, trained: false };
  const folder = await RunFolder.open(out, spec, { force });
  try {
    const { layer, history } = await fit(spec, set, signal, onEpoch);
    const results = await write(folder, spec, set, layer, history);
    return { results, trained: true };
  } finally {
    folder.close();
  }
}

function checkPenalty({ l1, optimiser }: FeatureSpec): void {
  if (l1 === 0 || optimiser.name === "sgd") return;
  throw new CuelabError({
    kind: "usage",
    what: "L1 needs --optimiser sgd",
    expected: "steps of one size for all weights: only then does shrinking them lead to L1's solution",
    todo: "add --optimiser sgd, and --lr 0.1 or so",
  });
}

async function fit(
  spec: FeatureSpec,
  { dataset, features, width }: FeatureSet,
  signal: AbortSignal | undefined,
  onEpoch: FeatureRunOptions["onEpoch"],
): Promise<{ layer: LastLayer; history: EpochRecord[] }> {
  const training = indicesOf(dataset, "train");
  const validation = indicesOf(dataset, "val");
  const scale = spec.standardise ? scaleOf(features, width, training) : noScale(width);
  const rows = rowsOf(features, width, training);
  for (let i = 0; i < rows.length; i++)
    rows[i] = (rows[i]! - scale.mean[i % width]!) / scale.deviation[i % width]!;
  const validationRows = rowsOf(features, width, validation);
  const { optimiser, batchSize, epochs, ...rest } = spec;
  const every = batchSize === undefined ? Math.ceil(epochs / leastEvaluations) : 1;
  const history: EpochRecord[] = [];
  const layer = await trainLastLayer(
    { features: rows, width, labels: Int32Array.from(training, (i) => dataset.labels[i]!) },
    {
      ...rest,
      ...(batchSize === undefined ? {} : { batchSize }),
      epochs,
      classes: dataset.classNames.length,
      optimiser: optimiser.name,
      rate: optimiser.rate,
      momentum: optimiser.momentum,
    },
    async (epoch, loss, now) => {
      signal?.throwIfAborted();
      if (!Number.isFinite(loss)) throw diverged(loss, epoch);
      const measured = validation.length > 0 && ((epoch + 1) % every === 0 || epoch + 1 === epochs);
      const val = measured
        ? scoresOf(
            await applyLastLayer(validationRows, width, unscaled(now, scale), spec.threads),
            validation,
            dataset,
          )
        : { loss: null, accuracy: null };
      const record = { epoch: epoch + 1, trainLoss: loss, valLoss: val.loss, valAccuracy: val.accuracy };
      history.push(record);
      onEpoch?.(record, epochs);
    },
  );
  return { layer: unscaled(layer, scale), history };
}

interface Scale {
  mean: Float64Array;
  deviation: Float64Array;
}

function noScale(width: number): Scale {
  return { mean: new Float64Array(width), deviation: new Float64Array(width).fill(1) };
}

/** In two passes, so that nothing cancels; a feature that never changes is left as it is. */
function scaleOf(features: Float32Array, width: number, indices: Uint32Array): Scale {
  const [mean, squares] = [new Float64Array(width), new Float64Array(width)];
  for (const index of indices)
    for (let k = 0; k < width; k++) mean[k]! += features[index * width + k]! / indices.length;
  for (const index of indices)
    for (let k = 0; k < width; k++) squares[k]! += (features[index * width + k]! - mean[k]!) ** 2;
  const deviation = squares.map((total) => Math.sqrt(total / indices.length) || 1);
  return { mean, deviation };
}

/** The same layer for features as they are: w/σ and b − Σ w·μ/σ. */
function unscaled({ weight, bias }: LastLayer, { mean, deviation }: Scale): LastLayer {
  const width = mean.length;
  const direct = weight.map((value, i) => value / deviation[i % width]!);
  return {
    weight: direct,
    bias: bias.map((value, row) => {
      let shift = 0;
      for (let k = 0; k < width; k++) shift += direct[row * width + k]! * mean[k]!;
      return value - shift;
    }),
  };
}

function rowsOf(features: Float32Array, width: number, indices: Uint32Array): Float32Array {
  const rows = new Float32Array(indices.length * width);
  indices.forEach((index, row) => {
    rows.set(features.subarray(index * width, (index + 1) * width), row * width);
  });
  return rows;
}

async function write(
  folder: RunFolder,
  spec: FeatureSpec,
  { dataset, features, width, source }: FeatureSet,
  layer: LastLayer,
  history: EpochRecord[],
): Promise<RunResults> {
  const indices = evaluated(dataset);
  const logits = await applyLastLayer(rowsOf(features, width, indices), width, layer, spec.threads);
  const predictions = { indices, logits };
  const results: RunResults = {
    id: folder.id,
    epoch: history.length,
    selection: lastEpoch,
    accuracy: accuracyTable(dataset, indices, predictedClasses(predictions)),
  };
  const lines = history.map((row) =>
    [row.epoch, row.trainLoss, row.valLoss ?? "", row.valAccuracy ?? ""].join(","),
  );
  const classes = dataset.classNames.length;
  const tensors = new Map([
    [`${source.head}.weight`, { shape: [classes, width], data: layer.weight }],
    [`${source.head}.bias`, { shape: [classes], data: layer.bias }],
  ]);
  await folder.write(runFiles.history, `epoch,train_loss,val_loss,val_accuracy\n${lines.join("\n")}\n`);
  await folder.write(runFiles.predictions, await encodePredictions(dataset, predictions, originOf(spec)));
  await folder.write(runFiles.model, exportLayer(layer, width, dataset, source));
  const { data: _, ...lastLayerOf } = source;
  const about = { lastLayerOf, features: width, classNames: [...dataset.classNames] } satisfies LayerAbout;
  const metadata = { format: "pt", cuelab: JSON.stringify(about) };
  await folder.write(runFiles.weights, encodeSafetensors({ tensors, metadata }));
  await folder.write(runFiles.results, `${JSON.stringify(results, null, 2)}\n`);
  await folder.finish(version);
  return results;
}

/** All images but those trained on, in order. */
function evaluated(dataset: Dataset): Uint32Array {
  const names = evaluatedSplits(dataset);
  return Uint32Array.from(names.flatMap((name) => [...indicesOf(dataset, name)]));
}

/** Input `features` [batch, width], output `logits`. */
function exportLayer(
  { weight, bias }: LastLayer,
  width: number,
  { classNames }: Dataset,
  source: FeatureSet["source"],
): Uint8Array {
  const classes = bias.length;
  const transposed = Float32Array.from(
    { length: weight.length },
    (_, i) => weight[(i % classes) * width + Math.floor(i / classes)]!,
  );
  const logits = add(
    matmul(input("features", [1, width]), constant(transposed, [width, classes])),
    constant(bias, [classes]),
  );
  const metadata = {
    model: "last layer",
    classNames: JSON.stringify(classNames),
    input: `features: float32 [batch, ${width}] of ${source.model}`,
    weights: source.weights ?? "random",
    trainedOn: source.data,
  };
  return emitProgram({ outputs: { logits } }, { freeBatch: "batch", keepNames: true, metadata }).model;
}

function diverged(loss: number, epoch: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "the loss is no longer a number",
    where: `epoch ${epoch + 1}`,
    got: `${loss}`,
    todo: "lower --lr, then start over with --force",
  });
}
