/**
 * Where parts of a pool are made, in this process or in one of several: the images in memory as bytes, and the features
 * of one kind at a time. Everything follows from the spec, so that it does not matter who makes which part.
 */

import type { Dataset, ImageShape } from "../core/dataset.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { type EnvironmentPlan, type Fold, planEnvironments } from "../training/environments.ts";
import { type NetworkContext, openFeatureNetwork } from "../training/features/extractors.ts";
import { keptFeatures } from "../training/features/kept-features.ts";
import { pixelStatistics } from "../training/pixel-statistics.ts";
import { indicesOf } from "../training/splits.ts";
import { openTrainingData } from "../training/training-data.ts";
import { drawChunk, neverDrawn } from "./draw-classifiers.ts";
import { type FeatureKind, type Features, kindsNamed, makeFeatures } from "./feature-kinds.ts";
import { type MeasuredSets, measuredSets } from "./measured-sets.ts";
import { featuresPath, partPath } from "./pool-folder.ts";
import { loadPoolImages, type PoolImages, trainingRows } from "./pool-images.ts";
import type { PoolSpec } from "./pool-spec.ts";
import { encodePart, rowsOfChunk } from "./pool-table.ts";
import { trainChunk } from "./train-chunk.ts";

/** A part to be made. */
export interface PoolJob {
  fold: Fold;
  chunk: number;
  /** Jobs with equal keys need the same features. */
  features: string;
}

export interface WorkshopOptions {
  out: string;
  id: string;
  signal?: AbortSignal | undefined;
  onImages?: ((done: number, total: number) => void) | undefined;
  /** A network begins to look at so many images. */
  onNetwork?: ((kind: string, images: number) => void) | undefined;
}

/** What is measured and left out, without any image being read. */
export function planPool(
  spec: PoolSpec,
  dataset: Dataset,
): { plan: EnvironmentPlan; measured: MeasuredSets } {
  const plan = planEnvironments(dataset, {
    ...spec,
    by: spec.environment ?? undefined,
    oodSplits: spec.oodSplits ?? undefined,
  });
  return { plan, measured: measuredSets(plan, dataset, spec) };
}

/** The job of each fold and chunk. Principal components are each fold's own. */
export function jobOf(spec: PoolSpec, { images: { shape } }: Dataset, fold: Fold, chunk: number): PoolJob {
  const { kind } = drawn(spec, shape!, chunk);
  const key = kind.components === undefined ? kind.name : `${kind.name} ${fold.training.join("+")}`;
  return { fold, chunk, features: key };
}

function drawn(spec: PoolSpec, shape: ImageShape, chunk: number) {
  return drawChunk(chunk, { ...spec, kinds: kindsOf(spec, shape), channels: shape.channels });
}

/** What a pool of so few classifiers has none of. */
export function missingFrom(spec: PoolSpec, { images: { shape } }: Dataset, chunks: number): string[] {
  return neverDrawn(chunks, { ...spec, kinds: kindsOf(spec, shape!) });
}

function kindsOf({ features, extractors }: PoolSpec, shape: ImageShape): FeatureKind[] {
  return kindsNamed(features, shape, extractors);
}

/** Opens every network once: what does not fit is told before anything is written. */
export async function checkNetworks(spec: PoolSpec, dataset: Dataset): Promise<void> {
  const networks = kindsOf(spec, dataset.images.shape!).flatMap(({ network }) => network ?? []);
  if (networks.length === 0) return;
  const context = await contextOf(spec, dataset);
  for (const network of networks) await (await openFeatureNetwork(network, context)).close();
}

async function contextOf({ seed }: PoolSpec, dataset: Dataset): Promise<NetworkContext> {
  const pixels = await pixelStatistics(dataset, indicesOf(dataset, "train"));
  return { shape: dataset.images.shape!, pixels, seed };
}

export class PoolWorkshop {
  readonly #spec: PoolSpec;
  readonly #options: WorkshopOptions;
  readonly #dataset: Dataset;
  readonly #images: PoolImages;
  readonly #plan: EnvironmentPlan;
  readonly #measured: MeasuredSets;
  readonly #context: NetworkContext | undefined;
  /** Those of the last job: jobs come sorted by what they need. */
  #features: { key: string; made: Features } | undefined;

  private constructor(
    spec: PoolSpec,
    options: WorkshopOptions,
    dataset: Dataset,
    images: PoolImages,
    { plan, measured }: ReturnType<typeof planPool>,
    context: NetworkContext | undefined,
  ) {
    this.#spec = spec;
    this.#options = options;
    this.#dataset = dataset;
    this.#images = images;
    this.#plan = plan;
    this.#context = context;
    this.#measured = measured;
  }

  static async open(spec: PoolSpec, options: WorkshopOptions): Promise<PoolWorkshop> {
    const dataset = await openTrainingData(spec.data);
    try {
      const planned = planPool(spec, dataset);
      const { environments } = planned.plan;
      const total = environments.reduce((sum, one) => sum + one.inPart.length + one.outPart.length, 0);
      const images = await loadPoolImages(dataset, environments, spec.seed, {
        signal: options.signal,
        onProgress: (done) => options.onImages?.(done, total),
      });
      // Only networks need it.
      const needed = kindsOf(spec, images.shape).some(({ network }) => network !== undefined);
      const context = needed ? await contextOf(spec, dataset) : undefined;
      return new PoolWorkshop(spec, options, dataset, images, planned, context);
    } finally {
      await dataset.images.close?.();
    }
  }

  async make({ fold, chunk, features: key }: PoolJob): Promise<void> {
    const { out, id, signal } = this.#options;
    signal?.throwIfAborted();
    const images = this.#images;
    const plan = drawn(this.#spec, images.shape, chunk);
    const rows = trainingRows(images, fold);
    const { sets } = this.#measured;
    const features = await this.#featuresOf(key, plan.kind, rows.positions);
    const points = await trainChunk(plan, images, rows, sets, features, {
      ...this.#spec,
      classes: this.#dataset.classNames.length,
      signal,
    });
    const table = rowsOfChunk(plan, points, this.#plan, fold, sets);
    await writeWhole(partPath(out, fold, chunk, id), await encodePart(table), { overwrite: true });
  }

  async #featuresOf(key: string, kind: FeatureKind, fitted: Uint32Array): Promise<Features> {
    if (this.#features?.key !== key) {
      this.#features = undefined;
      this.#features = { key, made: await this.#madeFeatures(kind, fitted) };
    }
    return this.#features.made;
  }

  async #madeFeatures({ network, ...kind }: FeatureKind, fitted: Uint32Array): Promise<Features> {
    const { out, id, signal, onNetwork } = this.#options;
    if (network === undefined) return makeFeatures(kind, this.#images, fitted, this.#spec.seed);
    const kept = await keptFeatures(this.#images, {
      path: featuresPath(out, kind.name, id),
      network: () => {
        onNetwork?.(kind.name, this.#images.count);
        return openFeatureNetwork(network, this.#context!);
      },
      signal,
    });
    return { ...kept, channels: undefined };
  }
}
