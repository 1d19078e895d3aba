/** Runs a run's model over images of the dataset: through the batch feed, or on features that are there already. */

import type { Executable } from "../engine/executable.ts";
import { input } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import type { Weights } from "../methods/method.ts";
import type { ImageBatches } from "./batch-feed.ts";

export interface EvaluationProgress {
  images: number;
  totalImages: number;
}

export interface EvaluationHooks {
  onEvaluation?(progress: EvaluationProgress): void;
  /** Asked between batches. */
  shouldStop?(): boolean;
}

/** Gives a row of numbers for each of some images of the dataset. */
export interface Evaluator {
  /** Names of the weights that it needs. */
  readonly weights: readonly string[];
  /** [images, width], row by row; undefined where it was asked to stop. */
  rows(indices: Uint32Array, weights: Weights, hooks?: EvaluationHooks): Promise<Float32Array | undefined>;
}

export interface ImageEvaluatorOptions {
  feed: Pick<ImageBatches, "batches">;
  batchSize: number;
  /** Of one output. */
  executable: Executable;
  output: string;
  width: number;
  weights: readonly string[];
}

/** By a program over batches of images. */
export class ImageEvaluator implements Evaluator {
  readonly weights: readonly string[];
  readonly #options: ImageEvaluatorOptions;

  constructor(options: ImageEvaluatorOptions) {
    this.#options = options;
    this.weights = options.weights;
  }

  async rows(
    indices: Uint32Array,
    weights: Weights,
    hooks: EvaluationHooks = {},
  ): Promise<Float32Array | undefined> {
    const { feed, batchSize, executable, output, width } = this.#options;
    const state = stateOf(this.weights, weights);
    const found = new Float32Array(indices.length * width);
    const requests = Array.from({ length: Math.ceil(indices.length / batchSize) }, (_, b) => ({
      // The last batch is filled up with its last image, whose further answers are not used.
      indices: Uint32Array.from(
        { length: batchSize },
        (_, i) => indices[Math.min(b * batchSize + i, indices.length - 1)]!,
      ),
    }));
    let done = 0;
    for await (const { views } of feed.batches(requests)) {
      const answers = (await executable.run({ images: views.images }, { state }))[output] as Float32Array;
      const used = Math.min(batchSize, indices.length - done);
      found.set(answers.subarray(0, used * width), done * width);
      done += used;
      hooks.onEvaluation?.({ images: done, totalImages: indices.length });
      if (done < indices.length && hooks.shouldStop?.()) return undefined;
    }
    return found;
  }
}

/** Rows of features of some images of the dataset: [images, width]; undefined where it was asked to stop. */
export type FeatureRows = (indices: Uint32Array) => Promise<Float32Array | undefined>;

/** By a program over features, in blocks of a fixed size. */
export class FeatureEvaluator implements Evaluator {
  readonly weights: readonly string[];
  readonly #executable: Executable;
  readonly #features: FeatureRows;
  readonly #widths: { features: number; logits: number };
  #last: { indices: Uint32Array; blocks: Float32Array[] } | undefined;

  constructor(
    executable: Executable,
    features: FeatureRows,
    weights: readonly string[],
    widths: { features: number; logits: number },
  ) {
    this.#executable = executable;
    this.#features = features;
    this.weights = weights;
    this.#widths = widths;
  }

  /** What its program takes, under the name that it takes it by. */
  static input(width: number) {
    return input("features", [featureBlock, width]);
  }

  async rows(indices: Uint32Array, weights: Weights): Promise<Float32Array | undefined> {
    const { logits: classes } = this.#widths;
    const state = stateOf(this.weights, weights);
    const blocks = await this.#blocksOf(indices);
    if (blocks === undefined) return undefined;
    const found = new Float32Array(indices.length * classes);
    for (const [block, features] of blocks.entries()) {
      const { logits } = await this.#executable.run({ features }, { state });
      const from = block * featureBlock * classes;
      found.set((logits as Float32Array).subarray(0, found.length - from), from);
    }
    return found;
  }

  /** Validation asks for the same images again and again: their rows stay where they are, the last block filled up. */
  async #blocksOf(indices: Uint32Array): Promise<Float32Array[] | undefined> {
    if (this.#last?.indices === indices) return this.#last.blocks;
    const rows = await this.#features(indices);
    if (rows === undefined) return undefined;
    const size = featureBlock * this.#widths.features;
    const blocks = Array.from({ length: Math.ceil(rows.length / size) }, (_, block) => {
      const part = rows.subarray(block * size, (block + 1) * size);
      if (part.length === size) return part;
      const filled = new Float32Array(size);
      filled.set(part);
      return filled;
    });
    this.#last = { indices, blocks };
    return blocks;
  }
}

/** Rows at a time: large enough that a block costs more than its call. */
const featureBlock = 1024;

function stateOf(names: readonly string[], weights: Weights): State {
  const state = new State();
  for (const name of names) state.set(name, weights.get(name)!);
  return state;
}
