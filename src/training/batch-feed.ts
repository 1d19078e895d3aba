/** Batches from a worker thread, which makes the next one while the present one is used. */

import { Worker } from "node:worker_threads";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import { allSharedBytes } from "../core/shared-bytes.ts";
import { type Recipe, recipeOf } from "../images/recipe.ts";
import { pluginsForImages } from "../plugins/at-hand.ts";
import type { PluginCode } from "../plugins/plugin-code.ts";
import { type Allowed, checkChains, type ViewedData } from "./check-chains.ts";
import { type BatchBuffers, type BatchPlan, type BatchRequest, ownChain } from "./make-batch.ts";

/** What the thread begins with. */
export interface FeedSettings {
  /** Of the images and what goes with them: the thread opens its own. */
  recipe: Recipe;
  labels: Dataset["labels"];
  seed: number;
  shared: ReadonlyMap<string, SharedArrayBuffer>;
  keeps: boolean;
  plugins: readonly PluginCode[];
}

export type FeedMessage =
  | { kind: "plan"; plan: BatchPlan }
  | { kind: "slots"; of: SlotUse; layout: BatchLayout; memory: readonly SharedArrayBuffer[] }
  | { kind: "fill"; number: number; of: SlotUse; slot: number; request: BatchRequest };

/** Memory for batches of steps, and for images as they are, of which there may be another number at a time. */
export type SlotUse = "steps" | "plain";

type BatchLayout = Pick<BatchPlan, "batchSize" | "views">;

export interface FeedAnswer {
  /** Of the request. */
  number: number;
  failure?: ErrorParts;
}

export interface FeedOptions {
  dataset: ViewedData;
  seed: number;
  /** Pictures and boxes that views may be handed; none unless named. */
  allowed?: Allowed;
  /** Whether decoded images that fit stay in memory for another epoch; so they do unless this is false. */
  keeps?: boolean;
}

/** Two slots: one in use, one being filled. */
const slotCount = 2;

/** How a batch lies in memory: numbers of all images first, which want to lie evenly, then pixels. */
export function batchBuffers(memory: ArrayBufferLike, { batchSize, views }: BatchLayout): BatchBuffers {
  const names = Object.keys(views);
  const pixelsFrom = 4 * batchSize * (2 + 2 * names.length);
  const bytes = (memory.byteLength - pixelsFrom) / names.length;
  const each = <Value>(make: (i: number) => Value) =>
    Object.fromEntries(names.map((name, i) => [name, make(i)]));
  return {
    partners: new Int32Array(memory, 0, batchSize),
    shares: new Float32Array(memory, 4 * batchSize, batchSize),
    codes: each((i) => new Int32Array(memory, 4 * batchSize * (2 + 2 * i), batchSize)),
    ownShares: each((i) => new Float32Array(memory, 4 * batchSize * (3 + 2 * i), batchSize)),
    views: each((i) => new Uint8Array(memory, pixelsFrom + i * bytes, bytes)) as BatchBuffers["views"],
  };
}

/** Whoever makes batches of images: a thread, or for a few images the same one. */
export type ImageBatches = Pick<BatchFeed, "configure" | "batches">;

export class BatchFeed {
  readonly #worker: Worker;
  readonly #dataset: ViewedData;
  readonly #allowed: Allowed;
  readonly #waiting = new Map<number, { ready: Promise<void>; settle: (failure?: Error) => void }>();
  readonly #slots = new Map<SlotUse, Slots>();
  #requests = 0;
  #failure: Error | undefined;

  /** Its thread begins to read the data; how batches are made is said by `configure`. */
  constructor({ dataset, seed, allowed = { sides: [], boxes: [] }, keeps = true }: FeedOptions) {
    this.#dataset = dataset;
    this.#allowed = allowed;
    const recipe = recipeOf(dataset.images);
    if (recipe === undefined) {
      throw new CuelabError({
        kind: "failure",
        what: "only images with a recipe can be handed to another thread",
        todo: "write the dataset first, and train on what was written",
      });
    }
    const settings: FeedSettings = {
      recipe,
      labels: dataset.labels,
      seed,
      shared: allSharedBytes(),
      keeps,
      plugins: pluginsForImages(),
    };
    this.#worker = new Worker(new URL("./batch-worker.js", import.meta.url), { workerData: settings });
    this.#worker.on("message", ({ number, failure }: FeedAnswer) => {
      this.#waiting.get(number)?.settle(failure && new CuelabError(failure));
      this.#waiting.delete(number);
    });
    this.#worker.on("error", (cause) => {
      this.#failure = cause as Error;
      for (const { settle } of this.#waiting.values()) settle(cause as Error);
      this.#waiting.clear();
    });
  }

  /**
   * How batches of steps are made from now on. The data stays open, and what was decoded of it stays in memory. Images as
   * they are can be had without it.
   */
  configure(plan: BatchPlan): void {
    checkChains(plan, this.#dataset, this.#allowed);
    this.#send({ kind: "plan", plan });
    this.#makeSlots("steps", { batchSize: plan.batchSize, views: plan.views });
  }

  /** The batches of these requests, in order; each is good until the next is asked for. */
  async *batches(requests: Iterable<BatchRequest>): AsyncGenerator<BatchBuffers> {
    // What an earlier caller asked for and left may still be on its way into the same slots.
    await Promise.allSettled(Array.from(this.#waiting.values(), ({ ready }) => ready));
    let slot = 0;
    let pending: Pending | undefined;
    for (const request of requests) {
      const next = this.#request(slot, request);
      slot = (slot + 1) % slotCount;
      if (pending) yield await copied(pending);
      pending = next;
    }
    if (pending) yield await copied(pending);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #request(slot: number, request: BatchRequest): Pending {
    const { of, slots } = this.#slotsFor(request);
    const number = this.#requests++;
    const { promise: ready, settle } = settled();
    ready.catch(() => {});
    if (this.#failure) settle(this.#failure);
    else this.#waiting.set(number, { ready, settle });
    this.#send({ kind: "fill", number, of, slot, request });
    return { ready, from: slots.shared[slot]!, to: slots.current };
  }

  #slotsFor({ indices, step }: BatchRequest): { of: SlotUse; slots: Slots } {
    const of = step === undefined ? "plain" : "steps";
    const there = this.#slots.get(of);
    if (there?.batchSize === indices.length) return { of, slots: there };
    if (of === "plain")
      return { of, slots: this.#makeSlots(of, { batchSize: indices.length, views: { [ownChain]: [] } }) };
    throw new CuelabError({
      kind: "failure",
      what: "a feed is asked for another batch than it was configured for",
      expected: there === undefined ? "a call of configure before" : `${there.batchSize} images`,
      got: `${indices.length} images`,
    });
  }

  #makeSlots(of: SlotUse, layout: BatchLayout): Slots {
    const { height, width, channels } = this.#dataset.images.shape!;
    const chains = Object.keys(layout.views).length;
    const bytes = layout.batchSize * (8 + chains * (8 + height * width * channels));
    const memory = Array.from({ length: slotCount }, () => new SharedArrayBuffer(bytes));
    const slots = {
      batchSize: layout.batchSize,
      shared: memory.map((slot) => batchBuffers(slot, layout)),
      current: batchBuffers(new ArrayBuffer(bytes), layout),
    };
    this.#slots.set(of, slots);
    this.#send({ kind: "slots", of, layout, memory });
    return slots;
  }

  #send(message: FeedMessage): void {
    this.#worker.postMessage(message);
  }
}

interface Slots {
  batchSize: number;
  shared: readonly BatchBuffers[];
  /** The runtime takes no shared memory: a batch is copied once, a hundredth of a step's time. */
  current: BatchBuffers;
}

/** A batch that is being made, and where it goes. */
interface Pending {
  ready: Promise<void>;
  from: BatchBuffers;
  to: BatchBuffers;
}

async function copied({ ready, from, to }: Pending): Promise<BatchBuffers> {
  await ready;
  to.partners.set(from.partners);
  to.shares.set(from.shares);
  for (const name of Object.keys(to.views)) {
    to.views[name]!.set(from.views[name]!);
    to.codes[name]!.set(from.codes[name]!);
    to.ownShares[name]!.set(from.ownShares[name]!);
  }
  return to;
}

function settled(): { promise: Promise<void>; settle: (failure?: Error) => void } {
  let settle: (failure?: Error) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    settle = (failure) => (failure ? fail(failure) : done());
  });
  return { promise, settle };
}
