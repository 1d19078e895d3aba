/** Features of a run's images in memory: of the network as it now is, or those that the run was given. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { Executable } from "../../engine/executable.ts";
import { input, type Tensor } from "../../engine/expressions.ts";
import type { Weights } from "../../methods/method.ts";
import type { ImageBatches } from "../batch-feed.ts";
import { type EvaluationHooks, ImageEvaluator } from "../evaluator.ts";
import { rowsAt } from "../feature-rows.ts";
import type { RunSpec } from "../run-spec.ts";
import type { RunNetwork } from "./run-network.ts";

export interface FeatureSource {
  /** How many features an image has. */
  readonly width: number;
  /** [images, width] of some images of the dataset; undefined where it was asked to stop. */
  rows(
    indices: Uint32Array,
    weights: Weights,
    hooks?: EvaluationHooks,
  ): Promise<{ matrix: Float32Array; width: number } | undefined>;
  close(): Promise<void>;
}

/** Features are kept in memory up to this many bytes. */
const mostFeatureBytes = 2 * 2 ** 30;

/** Features that somebody brought. */
export function givenFeatures(features: Float32Array, width: number): FeatureSource {
  return {
    width,
    rows: async (indices) => ({ matrix: rowsAt(features, width, indices), width }),
    close: async () => {},
  };
}

interface ComputedOptions {
  spec: RunSpec;
  dataset: Dataset;
  network: RunNetwork;
  feed: ImageBatches;
  batchSize: number;
}

/** Features of the run's own network, computed once as long as nothing below its last layer is another. */
export class ComputedFeatures implements FeatureSource {
  readonly #options: ComputedOptions;
  #written: { features: Tensor; weights: string[] } | undefined;
  #opened: { executable: Executable; evaluator: ImageEvaluator } | undefined;
  /** With the weights that it was computed with. */
  #known: { matrix: Float32Array; has: Uint8Array; of: Float32Array[] } | undefined;

  constructor(options: ComputedOptions) {
    this.#options = options;
  }

  get width(): number {
    return this.#features().features.shape[1]!;
  }

  async rows(indices: Uint32Array, weights: Weights, hooks: EvaluationHooks = {}) {
    const { evaluator } = await this.#open();
    const { width } = this;
    const { count } = this.#options.dataset.images;
    checkMemory(new Set(indices).size, width);
    // Too many to keep all: then only what is asked for, and no longer than it is used.
    if (count * width * 4 > mostFeatureBytes) {
      const matrix = await evaluator.rows(indices, weights, hooks);
      return matrix && { matrix, width };
    }
    const of = this.#features().weights.map((name) => weights.get(name)!);
    if (this.#known === undefined || !isSame(this.#known.of, of))
      this.#known = { matrix: new Float32Array(count * width), has: new Uint8Array(count), of };
    const { matrix, has } = this.#known;
    const missing = Uint32Array.from(new Set(indices)).filter((index) => has[index] === 0);
    const found = await evaluator.rows(missing, weights, hooks);
    if (found === undefined) return undefined;
    missing.forEach((index, row) => {
      matrix.set(found.subarray(row * width, (row + 1) * width), index * width);
      has[index] = 1;
    });
    return { matrix: rowsAt(matrix, width, indices), width };
  }

  async close(): Promise<void> {
    await this.#opened?.executable.close();
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

/** Mostly the very same arrays; else a stage may have begun with equal ones. */
function isSame(known: readonly Float32Array[], now: readonly Float32Array[]): boolean {
  return known.every((values, i) => {
    const others = now[i]!;
    return values === others || (values.length === others.length && values.every((x, k) => x === others[k]));
  });
}

function checkMemory(images: number, width: number): void {
  const bytes = images * width * 4;
  if (bytes <= mostFeatureBytes) return;
  const gigabytes = (n: number) => `${(n / 2 ** 30).toFixed(1)} GB`;
  throw new CuelabError({
    kind: "input",
    what: "the features of these images do not fit into the memory that is meant for them",
    expected: `${gigabytes(mostFeatureBytes)} or less`,
    got: `${gigabytes(bytes)}: ${images.toLocaleString("en")} images of ${width} features`,
    todo: "train the last layer on fewer images, or with --freeze backbone, which computes features batch by batch",
  });
}
