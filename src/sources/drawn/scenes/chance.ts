/** Choices that every scene makes from its random numbers. */

import type { Random } from "../../../core/random.ts";

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(choices.length)]!;
}

/** An integer from low to high, both included. */
export function count(random: Random, low: number, high: number): number {
  return low + random.integer(high - low + 1);
}

/** -1 or 1. */
export function side(random: Random): -1 | 1 {
  return random.boolean(0.5) ? 1 : -1;
}
