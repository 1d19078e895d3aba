/** Batches of a chunk: features in memory in the trainer's order, some of copies of the images, some of them set to zero. */

import { type RandomStream, randomStream } from "../core/random.ts";
import { endlessSampler } from "../training/stages/samplers.ts";
import type { ChunkPlan } from "./draw-classifiers.ts";
import type { Features } from "./feature-kinds.ts";
import type { PoolImages, TrainingRows } from "./pool-images.ts";

/** Put before the purposes of a pool's random numbers. */
export const poolScope = "pool/";

/** No chunk has more steps or epochs: those of the next one begin there. */
const mostSteps = 2 ** 20;

export interface ChunkFeedOptions {
  plan: ChunkPlan;
  images: Pick<PoolImages, "copiesFrom">;
  rows: Pick<TrainingRows, "positions">;
  features: Features;
  batchSize: number;
  seed: number;
}

export class ChunkFeed {
  readonly #options: ChunkFeedOptions;
  readonly #chosenAt: (step: number) => Uint32Array;
  readonly #steps: RandomStream;
  readonly #values: Float32Array;

  constructor(options: ChunkFeedOptions) {
    const { plan, rows, features, batchSize, seed } = options;
    this.#options = options;
    this.#chosenAt = endlessSampler({
      seed,
      scope: poolScope,
      firstEpoch: plan.chunk * mostSteps,
      images: rows.positions.length,
      batchSize,
    });
    this.#steps = randomStream(seed, `${poolScope}steps`);
    this.#values = new Float32Array(batchSize * features.width);
  }

  /** Rows of training images and their features at a step, counted from 0; both are written anew by the next call. */
  batch(step: number): { chosen: Uint32Array; values: Float32Array } {
    const { plan, images, rows, features } = this.#options;
    const { width } = features;
    const values = this.#values;
    const chosen = this.#chosenAt(step);
    const random = this.#steps.at(plan.chunk * mostSteps + step);
    const dropped = Math.floor(plan.dropout * 2 ** 32);
    for (let i = 0; i < chosen.length; i++) {
      const copy = plan.augmented && random.boolean(0.5) ? images.copiesFrom : 0;
      const from = (rows.positions[chosen[i]!]! + copy) * width;
      values.set(features.values.subarray(from, from + width), i * width);
      if (dropped === 0) continue;
      for (let k = i * width; k < (i + 1) * width; k++)
        values[k] = random.uint32() < dropped ? 0 : values[k]! / (1 - plan.dropout);
    }
    return { chosen, values };
  }
}
