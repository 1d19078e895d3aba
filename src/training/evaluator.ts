/** Runs a run's model over images of the dataset: through the batch feed, or on features that are there already. */

import { lookUp } from "../core/look-up.ts";
import type { Executable } from "../engine/executable.ts";
import { input } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import type { Weights } from "../methods/method.ts";
import type { ImageBatches } from "./batch-feed.ts";
import type { FeatureSource } from "./stages/feature-source.ts";

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

export interface FeatureEvaluatorOptions {
  source: FeatureSource;
  /** What the features are computed with, where they are. */
  before: Weights;
  weights: readonly string[];
  classes: number;
}

/** By a program over features, in blocks of a fixed size. */
export class FeatureEvaluator implements Evaluator {
  readonly weights: readonly string[];
  readonly #executable: Executable;
  readonly #options: FeatureEvaluatorOptions;
  #last: { indices: Uint32Array; blocks: Float32Array[] } | undefined;

  constructor(executable: Executable, options: FeatureEvaluatorOptions) {
    this.#executable = executable;
    this.#options = options;
    this.weights = options.weights;
  }

  /** What its program takes, under the name that it takes it by. */
  static input(width: number) {
    return input("features", [featureBlock, width]);
  }

  async rows(
    indices: Uint32Array,
    weights: Weights,
    hooks: EvaluationHooks = {},
  ): Promise<Float32Array | undefined> {
    const { classes } = this.#options;
    const state = stateOf(this.weights, weights);
    const found = new Float32Array(indices.length * classes);
    let from = 0;
    for await (const features of this.#blocksOf(indices, hooks)) {
      if (features === undefined) return undefined;
      const { logits } = await this.#executable.run({ features }, { state });
      found.set((logits as Float32Array).subarray(0, found.length - from), from);
      from += featureBlock * classes;
    }
    return found;
  }

  /**
   * Validation asks for the same images again and again: their rows stay where they are, the last block filled up. Where they
   * are too many for memory each block is read anew into one and the same.
   */
  async *#blocksOf(
    indices: Uint32Array,
    hooks: EvaluationHooks,
  ): AsyncGenerator<Float32Array<ArrayBuffer> | undefined> {
    if (this.#last?.indices === indices) {
      yield* this.#last.blocks as Float32Array<ArrayBuffer>[];
      return;
    }
    const { source, before } = this.#options;
    const read = await source.of(indices, before, hooks);
    if (read === undefined) {
      yield undefined;
      return;
    }
    const keeps = 4 * indices.length * source.width <= source.most;
    const blocks: Float32Array[] = [];
    let block: Float32Array<ArrayBuffer> | undefined;
    for (let at = 0; at < indices.length; at += featureBlock) {
      if (!keeps && at > 0 && hooks.shouldStop?.()) {
        yield undefined;
        return;
      }
      const some = indices.subarray(at, at + featureBlock);
      if (keeps || block === undefined) block = new Float32Array(featureBlock * source.width);
      await read(some, block.subarray(0, some.length * source.width));
      block.fill(0, some.length * source.width);
      if (keeps) blocks.push(block);
      yield block;
    }
    if (keeps) this.#last = { indices, blocks };
  }
}

/** Rows at a time: large enough that a block costs more than its call. */
const featureBlock = 1024;

function stateOf(names: readonly string[], weights: Weights): State {
  const state = new State();
  for (const name of names) state.set(name, lookUp(weights, name));
  return state;
}
