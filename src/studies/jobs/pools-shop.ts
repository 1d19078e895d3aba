/** What the pools of a study share: they are made one after the other, and one line tells how far they are. */

import type { JobShop } from "./job.ts";
import type { StudyPool } from "./pools-job.ts";

/** A network takes about as long as so many cheap classifiers, which matters to estimates alone. */
const networkWork = 100;

/** What is told while a pool is made. */
export interface PoolWork {
  onChunk: (there: number, all: number, before: number) => void;
  onSteps: (steps: number, all: number) => void;
}

export class PoolsShop {
  readonly #shop: JobShop;
  #last: Promise<unknown> = Promise.resolve();
  /** Work that was done now, of this pool and of those before it, and what is left of those after it. */
  #done = 0;
  #trained = { classifiers: 0, networks: 0 };
  #left = 0;

  constructor(shop: JobShop) {
    this.#shop = shop;
  }

  static of(shop: JobShop): PoolsShop {
    return shop.shared("pools", () => new PoolsShop(shop));
  }

  plan(pools: readonly StudyPool[]): void {
    for (const pool of pools) this.#left += workOf(pool);
  }

  /** Jobs wait for each other: each pool has all processes. */
  inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const made = this.#last.then(work);
    // Whoever is next waits for the end, whatever it was.
    this.#last = made.catch(() => {});
    return made;
  }

  begin(pool: StudyPool): PoolWork {
    this.#left -= workOf(pool);
    const ofNetworks = pool.networks.count * networkWork;
    this.#tell(pool, this.#left + workOf(pool));
    return {
      // What was there before would make the rate, and what is left, look better than they are.
      onChunk: (there, all, before) => {
        this.#trained.classifiers = there - before;
        this.#tell(pool, this.#left + all - there + ofNetworks);
      },
      onSteps: (steps, all) => {
        const perStep = networkWork / pool.spec.steps;
        this.#trained.networks = steps * perStep;
        this.#tell(pool, this.#left + (all - steps) * perStep);
      },
    };
  }

  end(): void {
    this.#done += this.#trained.classifiers + this.#trained.networks;
    this.#trained = { classifiers: 0, networks: 0 };
  }

  #tell({ name }: StudyPool, left: number): void {
    const done = this.#done + this.#trained.classifiers + this.#trained.networks;
    this.#shop.onWork?.(name, Math.round(done), Math.round(done + left), "units of work");
  }
}

function workOf({ classifiers, networks }: StudyPool): number {
  return classifiers + networks.count * networkWork;
}
