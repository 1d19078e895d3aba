/** Runs a network once over all images of a dataset and keeps what its last layer would see. */

import { randomStream } from "../core/random.ts";
import { Executable } from "../engine/executable.ts";
import { input } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { initialise } from "../engine/training/parameters.ts";
import { checkColumnNames } from "../formats/own-columns.ts";
import { models } from "../models/index.ts";
import { type Model, Network } from "../models/model.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import { needPlugins } from "../plugins/at-hand.ts";
import { FeatureWriter } from "../store/feature-folder.ts";
import type { SeenPixels } from "../store/features-about.ts";
import { BatchFeed } from "./batch-feed.ts";
import { firstWeights } from "./first-weights.ts";
import { pixelsOf } from "./pixel-statistics.ts";
import type { RunSpec } from "./run-spec.ts";
import { checkBatches, openTrainingData } from "./training-data.ts";
import { chosenPixels } from "./weights.ts";

export interface ExtractOptions {
  out: string;
  force: boolean;
  signal?: AbortSignal;
  onOpened?: (images: number) => void;
  onProgress?: (images: number) => void;
}

/** The network, data, weights and pixels of a spec; nothing else of it matters. */
export async function extractFeatures(
  spec: RunSpec,
  { out, force, signal, onOpened, onProgress }: ExtractOptions,
): Promise<{ images: number; width: number }> {
  await needPlugins(spec.plugins);
  const dataset = await openTrainingData(spec.data);
  let feed: BatchFeed | undefined;
  let executable: Executable | undefined;
  let writer: FeatureWriter | undefined;
  try {
    checkBatches(dataset);
    checkColumnNames(Object.keys(dataset.attributes), "features", { where: spec.data.path ?? dataset.name });
    const { count } = dataset.images;
    const image = dataset.images.shape!;
    onOpened?.(count);
    const batchSize = Math.min(spec.batchSize, count);
    const model = models.get(spec.model.name);
    const { options } = spec.model;
    // The head is not needed, so it need not fit.
    const weights = await firstWeights(spec, dataset, { freshHead: true });
    // Training images need to be there only for their statistics, where a network wants any.
    const pixels = await pixelsOf(spec, dataset);
    const classes = dataset.classNames.length;
    const network = new Network(model, { classes, mode: "evaluate", options, pixels });
    const shape = [batchSize, image.height, image.width, image.channels];
    const features = network.features(input("images", shape, "byte"));
    const state = new State();
    initialise(network.parameters.all, state, (key) => randomStream(spec.seed, key).at(0));
    for (const [name, values] of weights ?? []) state.set(name, values);
    const width = features.shape[1]!;
    writer = await FeatureWriter.create(out, dataset, width, { force });
    executable = await Executable.compile(
      { outputs: { features } },
      { device: spec.device, threads: spec.threads },
    );
    feed = new BatchFeed({ dataset, seed: spec.seed });
    const requests = Array.from({ length: Math.ceil(count / batchSize) }, (_, b) => ({
      // The last batch is filled up with its last image, whose further features are not kept.
      indices: Uint32Array.from({ length: batchSize }, (_, i) => Math.min(b * batchSize + i, count - 1)),
    }));
    let done = 0;
    for await (const { views } of feed.batches(requests)) {
      signal?.throwIfAborted();
      const { features: rows } = await executable.run({ images: views.images }, { state });
      const used = Math.min(batchSize, count - done);
      await writer.write((rows as Float32Array).subarray(0, used * width));
      done += used;
      onProgress?.(done);
    }
    await writer.finish({
      model: model.name,
      options,
      head: model.head,
      weights: spec.weights?.digest ?? null,
      ...(spec.weights === undefined && { seed: spec.seed }),
      pixels: describedPixels(model, spec, pixels),
      data: spec.data.identity,
    });
    return { images: count, width };
  } catch (cause) {
    await writer?.discard();
    throw cause;
  } finally {
    await feed?.close();
    await executable?.close();
    await dataset.images.close?.();
  }
}

/** How the network saw pixels: two extractions that differ in it alone must not look the same. */
function describedPixels(
  { pixels: kind }: Model,
  { pixels: given }: RunSpec,
  used: PixelStatistics | undefined,
): SeenPixels {
  if (kind !== "standard") return { mode: kind };
  const { mean, deviation } = used!;
  if (given === undefined) return { mode: "data", mean, deviation };
  const named = (["imagenet", "half"] as const).find((choice) => sameNumbers(chosenPixels(choice)!, given));
  return { mode: named ?? "weights", mean, deviation };
}

function sameNumbers(a: PixelStatistics, b: PixelStatistics): boolean {
  return a.mean.join() === b.mean.join() && a.deviation.join() === b.deviation.join();
}
