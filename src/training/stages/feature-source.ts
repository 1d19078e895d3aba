/**
 * Features of a run's images: of the network as it now is, or those that the run was given. In memory up to a limit, else in a
 * file that is read by rows: the same numbers either way.
 */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { RowFile } from "../../disk/row-file.ts";
import { Executable } from "../../engine/executable.ts";
import { input, type Tensor } from "../../engine/expressions.ts";
import type { Weights } from "../../methods/method.ts";
import type { ImageBatches } from "../batch-feed.ts";
import { type EvaluationHooks, ImageEvaluator } from "../evaluator.ts";
import { rowsAt } from "../feature-rows.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunNetwork } from "./run-network.ts";
import type { FindView } from "./viewed-features.ts";

export interface FeatureSource {
  /** How many features an image has. */
  readonly width: number;
  /** Features are kept in memory up to this many bytes. */
  readonly most: number;
  /** Features of changed training images, where somebody brought some. */
  readonly view?: FindView;
  /** Makes those of some images of the dataset ready; undefined where it was asked to stop. */
  of(indices: Uint32Array, weights: Weights, hooks?: EvaluationHooks): Promise<ReadFeatures | undefined>;
  close(): Promise<void>;
}

/** [images, width] of some of the images that were made ready, into memory that is there where it is given. */
export type ReadFeatures = (
  indices: Uint32Array,
  into?: Float32Array<ArrayBuffer>,
) => Promise<Float32Array<ArrayBuffer>>;

/** The limit, unless somebody says another. */
export const mostFeatureBytes = 2 * 2 ** 30;

/** Rows that are computed, or copied, at a time where all are too many. */
const pieceBytes = 64 * 2 ** 20;

export interface BroughtOptions {
  most: number;
  view: FindView;
}

/** Features that somebody brought, in memory. */
export function givenFeatures(
  features: Float32Array,
  width: number,
  { most, view }: BroughtOptions,
): FeatureSource {
  const read: ReadFeatures = async (indices, into) => rowsAt(features, width, indices, into);
  return { width, most, view, of: async () => read, close: async () => {} };
}

/** Features that somebody brought, in their file. */
export function storedFeatures(rows: RowFile, { most, view }: BroughtOptions): FeatureSource {
  const read = readingFrom(rows);
  return { width: rows.width, most, view, of: async () => read, close: () => rows.close() };
}

function readingFrom(rows: RowFile): ReadFeatures {
  return async (indices, into = new Float32Array(indices.length * rows.width)) => {
    await rows.read(indices, into);
    return into;
  };
}

interface ComputedOptions {
  spec: RunSpec;
  dataset: Dataset;
  network: RunNetwork;
  feed: ImageBatches;
  batchSize: number;
  /** Where features are put that are too many for memory. */
  folder: string;
  most: number;
}

interface KnownFeatures {
  /** Of each image of the dataset. */
  has: Uint8Array;
  /** The weights that they were computed with. */
  of: Float32Array[];
  read: ReadFeatures;
  write: (indices: Uint32Array, rows: Float32Array) => Promise<void>;
}

/** Features of the run's own network, computed once as long as nothing below its last layer is another. */
export class ComputedFeatures implements FeatureSource {
  readonly most: number;
  readonly #options: ComputedOptions;
  #written: { features: Tensor; weights: string[] } | undefined;
  #opened: { executable: Executable; evaluator: ImageEvaluator } | undefined;
  #known: KnownFeatures | undefined;
  #spool: RowFile | undefined;

  constructor(options: ComputedOptions) {
    this.#options = options;
    this.most = options.most;
  }

  get width(): number {
    return this.#features().features.shape[1]!;
  }

  async of(indices: Uint32Array, weights: Weights, hooks: EvaluationHooks = {}) {
    const { evaluator } = await this.#open();
    const { batchSize } = this.#options;
    const { has, read, write } = await this.#knownOf(weights);
    const missing = Uint32Array.from(new Set(indices)).filter((index) => has[index] === 0);
    // Whole batches, so that images meet in the same ones however few are computed at a time.
    const piece = batchSize * Math.max(1, Math.floor(pieceBytes / (4 * this.width * batchSize)));
    for (let at = 0; at < missing.length; at += piece) {
      const some = missing.subarray(at, at + piece);
      const found = await evaluator.rows(some, weights, {
        ...hooks,
        onEvaluation: ({ images }) =>
          hooks.onEvaluation?.({ images: at + images, totalImages: missing.length }),
      });
      if (found === undefined) return undefined;
      await write(some, found);
      for (const index of some) has[index] = 1;
      if (at + piece < missing.length && hooks.shouldStop?.()) return undefined;
    }
    return read;
  }

  async close(): Promise<void> {
    await this.#opened?.executable.close();
    await this.#spool?.close();
    this.#spool = undefined;
  }

  async #knownOf(weights: Weights): Promise<KnownFeatures> {
    const of = this.#features().weights.map((name) => lookUp(weights, name));
    if (this.#known !== undefined && isSame(this.#known.of, of)) return this.#known;
    const { dataset, folder } = this.#options;
    const { count } = dataset.images;
    const has = new Uint8Array(count);
    if (4 * count * this.width > this.most) {
      this.#spool ??= await RowFile.spool(folder, "features", this.width);
      this.#known = { has, of, read: readingFrom(this.#spool), write: intoFile(this.#spool) };
    } else this.#known = { has, of, ...inMemory(count, this.width) };
    return this.#known;
  }

  #features(): { features: Tensor; weights: string[] } {
    if (this.#written !== undefined) return this.#written;
    const { dataset, network, batchSize } = this.#options;
    const { height, width, channels } = dataset.images.shape!;
    const { network: evaluated } = network.evaluated();
    const features = evaluated.features(input("images", [batchSize, height, width, channels], "byte"));
    this.#written = { features, weights: evaluated.parameters.all.map(({ name }) => name) };
    return this.#written;
  }

  async #open() {
    if (this.#opened !== undefined) return this.#opened;
    const { spec, feed, batchSize } = this.#options;
    const { features, weights } = this.#features();
    const executable = await Executable.compile(
      { outputs: { features } },
      { device: spec.device, threads: spec.threads },
    );
    const { width } = this;
    const evaluator = new ImageEvaluator({ feed, batchSize, executable, output: "features", width, weights });
    this.#opened = { executable, evaluator };
    return this.#opened;
  }
}

function inMemory(count: number, width: number): Pick<KnownFeatures, "read" | "write"> {
  const matrix = new Float32Array(count * width);
  return {
    read: async (indices, into) => rowsAt(matrix, width, indices, into),
    write: async (indices, rows) => {
      for (const [row, index] of indices.entries())
        matrix.set(rows.subarray(row * width, (row + 1) * width), index * width);
    },
  };
}

/** Neighbours at once: images mostly come in the dataset's order. */
function intoFile(file: RowFile): KnownFeatures["write"] {
  return async (indices, rows) => {
    for (let from = 0, to = 1; from < indices.length; from = to++) {
      while (to < indices.length && indices[to] === indices[to - 1]! + 1) to++;
      await file.write(rows.subarray(from * file.width, to * file.width), indices[from]!);
    }
  };
}

/** Mostly the very same arrays; else a stage may have begun with equal ones. */
function isSame(known: readonly Float32Array[], now: readonly Float32Array[]): boolean {
  return known.every((values, i) => {
    const others = now[i]!;
    return values === others || (values.length === others.length && values.every((x, k) => x === others[k]));
  });
}

/** Whether so many images' features may be in memory. */
export function fitsMemory(images: number, { width, most }: Pick<FeatureSource, "width" | "most">): boolean {
  return 4 * images * width <= most;
}

/** For whoever needs all of them at once; `why` says who that is. */
export function checkMemory(
  images: number,
  source: Pick<FeatureSource, "width" | "most">,
  why: string,
  todo: string,
): void {
  if (fitsMemory(images, source)) return;
  const gigabytes = (n: number) =>
    n < 2 ** 27 ? `${n.toLocaleString("en")} bytes` : `${(n / 2 ** 30).toFixed(1)} GB`;
  const { width, most } = source;
  throw new CuelabError({
    kind: "input",
    what: `${why}, and its features do not fit into the memory that is meant for them`,
    expected: `${gigabytes(most)} or less`,
    got: `${gigabytes(4 * images * width)}: ${images.toLocaleString("en")} images of ${width} features`,
    todo,
  });
}
