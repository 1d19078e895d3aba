/** Random choices of one mutant: the same for equal seed, format and index. */

import { type Random, randomStream } from "../../src/core/random.ts";

export class Chance {
  readonly #random: Random;

  constructor(seed: number, format: string, index: number) {
    this.#random = randomStream(seed, `fuzz/${format}`).at(index);
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.min(limit - 1, Math.floor(this.#random.uniform() * limit));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  happens(share: number): boolean {
    return this.#random.uniform() < share;
  }
}
