/** One feed for training and evaluation, which may want batches of different sizes: it is told anew when they change. */

import type { BatchFeed } from "../batch-feed.ts";
import { type BatchPlan, type BatchRequest, ownChain } from "../make-batch.ts";

/** Whoever makes batches of images: a thread, or for a few images the same one. */
export type ImageBatches = Pick<BatchFeed, "configure" | "batches">;

export class PlannedFeed {
  readonly #feed: ImageBatches;
  readonly #evaluation: number;
  #stage: BatchPlan | undefined;
  #told: BatchPlan | undefined;

  /** `batchSize` is that of evaluation. */
  constructor(feed: ImageBatches, batchSize: number) {
    this.#feed = feed;
    this.#evaluation = batchSize;
  }

  /** How the batches of the present stage are made. */
  plan(plan: BatchPlan): void {
    this.#stage = plan;
    this.#tell(plan);
  }

  /** Of the stage. */
  batches(requests: Iterable<BatchRequest>): ReturnType<BatchFeed["batches"]> {
    this.#tell(this.#stage!);
    return this.#feed.batches(requests);
  }

  /** Images as they are, so many at a time as evaluation takes. */
  readonly evaluated = {
    batches: (requests: Iterable<BatchRequest>): ReturnType<BatchFeed["batches"]> => {
      if (this.#told?.batchSize !== this.#evaluation) {
        const bare: BatchPlan = {
          batchSize: this.#evaluation,
          views: { [ownChain]: [] },
          part: new Uint32Array(0),
          scope: "",
        };
        this.#tell(bare);
      }
      return this.#feed.batches(requests);
    },
  };

  #tell(plan: BatchPlan): void {
    if (this.#told === plan) return;
    this.#feed.configure(plan);
    this.#told = plan;
  }
}
