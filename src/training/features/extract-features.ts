/** Runs a network once over all images of a dataset, and over views of those of training, and keeps what its last layer would see. */

import { createHash } from "node:crypto";
import type { Dataset } from "../../core/dataset.ts";
import { checkColumnNames } from "../../core/own-columns.ts";
import { subset } from "../../images/change-dataset.ts";
import { needPlugins } from "../../plugins/at-hand.ts";
import { FeatureWriter, type OwnHead } from "../../runs/feature-writer.ts";
import type { FeatureOrigin, FeatureType } from "../../runs/features-about.ts";
import { BatchFeed } from "../batch-feed.ts";
import { allowedBy } from "../check-chains.ts";
import { chosenImages } from "../predict.ts";
import type { RunSpec } from "../run-spec.ts";
import { indicesOf } from "../splits.ts";
import { checkBatches, checkTrainingImages, openTrainingData } from "../training-data.ts";
import { type FeatureNetwork, featureRows } from "./feature-network.ts";
import { ownNetworkSource } from "./own-network-source.ts";
import { type AskedView, viewParts } from "./view-parts.ts";

export interface ExtractOptions {
  out: string;
  force: boolean;
  /** As numbers of 32 bits, unless it is said otherwise. */
  type?: FeatureType | undefined;
  /** Of these splits alone. */
  splits?: readonly string[] | undefined;
  /** Features of changed training images beside those of all as they are. */
  views?: readonly AskedView[] | undefined;
  /** How often each training image is changed by each view, in another way each time; once unless it is said. */
  copies?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Told how many rows there will be: of images as they are, and of all copies of all views. */
  onOpened?: ((rows: number) => void) | undefined;
  onProgress?: ((rows: number) => void) | undefined;
  onRemark?: ((text: string) => void) | undefined;
}

/** A network, and images that are ready for it. */
export interface FeatureSourceOfImages {
  dataset: Dataset;
  /** Where the dataset lies, for messages. */
  where: string;
  seed: number;
  batchSize: number;
  open(image: NonNullable<Dataset["images"]["shape"]>, batch: number): Promise<FeatureNetwork>;
  /** Mean of each channel over the training images, in bytes. */
  mean(): Promise<number[]>;
  /** Known once the network is open. */
  origin(): FeatureOrigin;
  head(width: number): Promise<OwnHead | undefined>;
  /** What decides the numbers beside data, network and views: threads, for instance. */
  rounding: unknown;
}

export interface Extracted {
  images: number;
  width: number;
  /** Rows of all views. */
  viewed: number;
  /** Whether the network's own last layer is there. */
  head: boolean;
}

/** The network, data, weights and pixels of a spec; nothing else of it matters. */
export async function extractFeatures(spec: RunSpec, options: ExtractOptions): Promise<Extracted> {
  await needPlugins(spec.plugins);
  const dataset = await openTrainingData(spec.data);
  try {
    return await extractFrom(await ownNetworkSource(spec, dataset), options);
  } finally {
    await dataset.images.close?.();
  }
}

/** Whoever opened the dataset closes it. */
export async function extractFrom(
  source: FeatureSourceOfImages,
  { out, force, type = "float32", splits, views = [], copies = 1, signal, ...told }: ExtractOptions,
): Promise<Extracted> {
  const { where, seed } = source;
  const dataset =
    splits === undefined ? source.dataset : subset(source.dataset, chosenImages(source.dataset, splits));
  checkBatches(dataset);
  checkColumnNames(Object.keys(dataset.attributes), "features", { where });
  const { count } = dataset.images;
  const batch = Math.min(source.batchSize, count);
  const training = indicesOf(dataset, "train");
  if (views.length > 0) checkTrainingImages(dataset);
  let feed: BatchFeed | undefined;
  let network: FeatureNetwork | undefined;
  let writer: FeatureWriter | undefined;
  try {
    network = await source.open(dataset.images.shape!, batch);
    const { width } = network;
    const origin = source.origin();
    const described = views.map(({ name, chain }) => ({ name, chain, copies, images: training.length }));
    const key = createHash("sha256")
      .update(JSON.stringify([origin, source.rounding, width, type, splits, described, seed, network.batch]))
      .digest("hex")
      .slice(0, 16);
    writer = await FeatureWriter.create(out, dataset, width, {
      force,
      type,
      key,
      batch: network.batch,
      views: described,
    });
    const total = count + views.length * copies * training.length;
    told.onOpened?.(total);
    let done = writer.done + described.reduce((rows, { name }) => rows + writer!.view(name).done, 0);
    if (done > 0)
      told.onRemark?.(`goes on behind ${done.toLocaleString("en")} rows that were extracted before`);
    told.onProgress?.(done);
    const progressed = (rows: number) => {
      signal?.throwIfAborted();
      done += rows;
      told.onProgress?.(done);
    };
    const allowed = views.map(({ chain }) => allowedBy(chain));
    feed = new BatchFeed({
      dataset,
      seed,
      allowed: { sides: allowed.flatMap(({ sides }) => sides), boxes: allowed.flatMap(({ boxes }) => boxes) },
      keeps: views.length > 0,
    });
    const describe = (index: number) => `image ${index} (${dataset.images.describe(index)})`;
    const first = writer.done;
    const plain = batchesOf(feed, network.batch, first, count);
    for await (const rows of featureRows(network, plain, {
      count: count - first,
      describe: (i) => describe(first + i),
    })) {
      await writer.write(rows);
      progressed(rows.length / width);
    }
    for (const view of views) {
      const into = writer.view(view.name);
      const parts = viewParts(view, {
        feed,
        network,
        training,
        copies,
        seed,
        first: into.done,
        mean: () => source.mean(),
        describe,
      });
      for await (const part of parts) {
        await into.write(part);
        progressed(part.shares.length / 2);
      }
    }
    const head = await source.head(width);
    await writer.finish(origin, head);
    return { images: count, width, viewed: total - count, head: head !== undefined };
  } catch (cause) {
    if (signal?.aborted) await writer?.leave();
    else await writer?.discard();
    throw cause;
  } finally {
    await feed?.close();
    await network?.close();
  }
}

/** All images in order, from one on; the last batch is filled up with the last image. */
async function* batchesOf(
  feed: BatchFeed,
  size: number,
  first: number,
  count: number,
): AsyncGenerator<Uint8Array> {
  const requests = Array.from({ length: Math.ceil((count - first) / size) }, (_, b) => ({
    indices: Uint32Array.from({ length: size }, (_, i) => Math.min(first + b * size + i, count - 1)),
  }));
  for await (const { views } of feed.batches(requests)) yield views.images;
}
