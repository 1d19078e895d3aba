/** Choices beside those of every drawing that scenes make. */

import type { Random } from "../../../core/random.ts";

/** An integer from low to high, both included. */
export function count(random: Random, low: number, high: number): number {
  return low + random.integer(high - low + 1);
}

/** Left, -1, or right, 1. */
export function side(random: Random): -1 | 1 {
  return random.boolean(0.5) ? 1 : -1;
}
