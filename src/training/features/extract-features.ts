/** Runs a network once over all images of a dataset and keeps what its last layer would see. */

import { checkColumnNames } from "../../core/own-columns.ts";
import { models } from "../../models/index.ts";
import type { Model } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { needPlugins } from "../../plugins/at-hand.ts";
import { FeatureWriter } from "../../runs/feature-folder.ts";
import type { SeenPixels } from "../../runs/features-about.ts";
import { BatchFeed } from "../batch-feed.ts";
import { firstWeights } from "../first-weights.ts";
import { pixelsOf } from "../pixel-statistics.ts";
import type { RunSpec } from "../run-spec.ts";
import { checkBatches, openTrainingData } from "../training-data.ts";
import { chosenPixels } from "../weights.ts";
import { type FeatureNetwork, featureRows, openOwnNetwork } from "./feature-network.ts";

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
  let network: FeatureNetwork | undefined;
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
    const fitted = { classes: dataset.classNames.length, image };
    const weights = await firstWeights(spec, fitted, { freshHead: true });
    // Training images need to be there only for their statistics, where a network wants any.
    const pixels = await pixelsOf(spec, dataset);
    const { device, threads, seed } = spec;
    network = await openOwnNetwork(
      { model: model.name, options, pixels, weights, seed },
      { shape: image, batch: batchSize, device, threads },
    );
    const { width } = network;
    writer = await FeatureWriter.create(out, dataset, width, { force });
    feed = new BatchFeed({ dataset, seed });
    const describe = (index: number) => `image ${index} (${dataset.images.describe(index)})`;
    let done = 0;
    for await (const rows of featureRows(network, batchesOf(feed, batchSize, count), { count, describe })) {
      signal?.throwIfAborted();
      await writer.write(rows);
      done += rows.length / width;
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
    await network?.close();
    await dataset.images.close?.();
  }
}

/** All images in order; the last batch is filled up with the last image. */
async function* batchesOf(feed: BatchFeed, size: number, count: number): AsyncGenerator<Uint8Array> {
  const requests = Array.from({ length: Math.ceil(count / size) }, (_, b) => ({
    indices: Uint32Array.from({ length: size }, (_, i) => Math.min(b * size + i, count - 1)),
  }));
  for await (const { views } of feed.batches(requests)) yield views.images;
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
