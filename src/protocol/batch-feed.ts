/** Batches over shared memory: while one is used, the next is made in a worker thread. */

import { Worker } from "node:worker_threads";
import type { ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type Recipe, recipeOf } from "../core/recipe.ts";
import { allSharedBytes } from "../core/shared-bytes.ts";
import { pluginsForImages } from "../plugins/at-hand.ts";
import type { PluginCode } from "../plugins/plugin-code.ts";
import type { BatchBuffers, BatchRequest } from "./make-batch.ts";
import type { RunSpec } from "./run-spec.ts";

export interface FeedSettings {
  /** Of the images: the thread opens its own. */
  recipe: Recipe;
  augment: RunSpec["augment"];
  seed: number;
  slots: readonly SharedArrayBuffer[];
  batchSize: number;
  imageBytes: number;
  shared: ReadonlyMap<string, SharedArrayBuffer>;
  plugins: readonly PluginCode[];
}

export interface SlotMessage {
  slot: number;
  indices: Uint32Array;
  step: number | undefined;
}

/** Two slots: one in use, one being filled. */
const slotCount = 2;

export function buffersOf(slot: SharedArrayBuffer, batchSize: number, imageBytes: number): BatchBuffers {
  return {
    partners: new Int32Array(slot, 0, batchSize),
    shares: new Float32Array(slot, 4 * batchSize, batchSize),
    images: new Uint8Array(slot, 8 * batchSize, batchSize * imageBytes),
  };
}

export class BatchFeed {
  readonly #worker: Worker;
  readonly #buffers: readonly BatchBuffers[];
  /** The runtime takes no shared memory: a batch is copied once, a hundredth of a step's time. */
  readonly #current: BatchBuffers;
  readonly #waiting: (((failure?: Error) => void) | undefined)[] = [];
  #failure: Error | undefined;

  constructor({ augment, seed }: Pick<RunSpec, "augment" | "seed">, images: ImageSet, batchSize: number) {
    const { height, width, channels } = images.shape!;
    const imageBytes = height * width * channels;
    const recipe = recipeOf(images);
    if (recipe === undefined) {
      throw new CuelabError({
        kind: "failure",
        what: "only images with a recipe can be handed to another thread",
        todo: "write the dataset first, and train on what was written",
      });
    }
    const slots = Array.from(
      { length: slotCount },
      () => new SharedArrayBuffer(batchSize * (8 + imageBytes)),
    );
    this.#buffers = slots.map((slot) => buffersOf(slot, batchSize, imageBytes));
    this.#current = {
      partners: new Int32Array(batchSize),
      shares: new Float32Array(batchSize),
      images: new Uint8Array(batchSize * imageBytes),
    };
    const settings: FeedSettings = {
      recipe,
      augment,
      seed,
      slots,
      batchSize,
      imageBytes,
      shared: allSharedBytes(),
      plugins: pluginsForImages(),
    };
    this.#worker = new Worker(new URL("./batch-worker.js", import.meta.url), { workerData: settings });
    this.#worker.on("message", ({ slot, failure }: { slot: number; failure?: string }) => {
      this.#waiting[slot]?.(
        failure === undefined ? undefined : new CuelabError({ kind: "input", what: failure }),
      );
    });
    this.#worker.on("error", (cause) => {
      this.#failure = cause as Error;
      for (const settle of this.#waiting) settle?.(cause as Error);
    });
  }

  /** The batches of these requests, in order; each is good until the next is asked for. */
  async *batches(requests: Iterable<BatchRequest>): AsyncGenerator<BatchBuffers> {
    let slot = 0;
    let pending: Promise<BatchBuffers> | undefined;
    for (const request of requests) {
      const next = this.#request(slot, request);
      slot = (slot + 1) % slotCount;
      if (pending) yield this.#copy(await pending);
      pending = next;
    }
    if (pending) yield this.#copy(await pending);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #copy({ images, partners, shares }: BatchBuffers): BatchBuffers {
    this.#current.images.set(images);
    this.#current.partners.set(partners);
    this.#current.shares.set(shares);
    return this.#current;
  }

  #request(slot: number, { indices, step }: BatchRequest): Promise<BatchBuffers> {
    const ready = new Promise<BatchBuffers>((done, fail) => {
      if (this.#failure) fail(this.#failure);
      this.#waiting[slot] = (failure) => (failure ? fail(failure) : done(this.#buffers[slot]!));
    });
    ready.catch(() => {});
    this.#worker.postMessage({ slot, indices, step } satisfies SlotMessage);
    return ready;
  }
}
