/** Seeded random numbers derived from (seed, purpose, index), equal whatever the order or the number of workers. */

import { createHash } from "node:crypto";
import { CuelabError } from "./errors.ts";

/** All that a `Random` needs to go on from where it was; survives JSON unchanged. */
export interface RandomState {
  /** The two halves of the stream's key, unsigned. */
  key: [number, number];
  index: number;
  /** How many 32-bit words were drawn. */
  drawn: number;
  /** The second half of a pair of normal numbers, not handed out yet. */
  spareNormal: number | null;
}

/** Arrays and typed arrays: whatever can be written by index. */
export interface Shuffleable {
  readonly length: number;
  [index: number]: unknown;
}

/**
 * The stream of one seed and one purpose, such as `randomStream(7, "augmentation")`. Each index (an image, an
 * epoch, a run) has random numbers of its own, which cost nothing to reach and share none with other indices.
 */
export function randomStream(seed: number, purpose: string): RandomStream {
  if (!isCount(seed)) throw usage("seed is no whole number", "an integer from 0 to 2^53 - 1", seed);
  // The seed is written in digits only, so the first slash ends it and no two pairs spell the same text.
  const digest = createHash("sha256").update(`${seed}/${purpose}`, "utf8").digest();
  return new RandomStream(digest.readInt32LE(0), digest.readInt32LE(4));
}

/** Made by `randomStream`. */
export class RandomStream {
  readonly #key0: number;
  readonly #key1: number;

  constructor(key0: number, key1: number) {
    this.#key0 = key0;
    this.#key1 = key1;
  }

  /** The random numbers of one index, from their beginning at every call. */
  at(index: number): Random {
    if (!isCount(index)) throw usage("index is no whole number", "an integer from 0 to 2^53 - 1", index);
    return new Random(this.#key0, this.#key1, index);
  }
}

/** One sequence of random numbers; made by `RandomStream.at` or `Random.restore`. */
export class Random {
  // Words are kept signed: V8 stores any 32-bit signed integer in the object itself, an unsigned one on the heap.
  readonly #key0: number;
  readonly #key1: number;
  readonly #index: number;
  #blocks = 0;
  #word0 = 0;
  #word1 = 0;
  #word2 = 0;
  #word3 = 0;
  /** How many words of the current block are still to hand out; word0 goes first. */
  #left = 0;
  #spareNormal: number | null = null;

  constructor(key0: number, key1: number, index: number) {
    this.#key0 = key0 | 0;
    this.#key1 = key1 | 0;
    this.#index = index;
  }

  /** Continues bit for bit after the draw at which `state()` was taken. */
  static restore(state: RandomState): Random {
    checkState(state);
    const random = new Random(state.key[0], state.key[1], state.index);
    const used = state.drawn % 4;
    random.#blocks = (state.drawn - used) / 4;
    if (used > 0) {
      random.#nextBlock();
      random.#left = 4 - used;
    }
    random.#spareNormal = state.spareNormal;
    return random;
  }

  state(): RandomState {
    return {
      key: [this.#key0 >>> 0, this.#key1 >>> 0],
      index: this.#index,
      drawn: this.#blocks * 4 - this.#left,
      spareNormal: this.#spareNormal,
    };
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    return this.#word() >>> 0;
  }

  /** A multiple of 2^-53 in [0, 1), each with the same probability. */
  uniform(): number {
    const high = this.#word() >>> 5;
    const low = this.#word() >>> 6;
    return (high * 2 ** 26 + low) * 2 ** -53;
  }

  /** An integer in [0, n), 1 ≤ n ≤ 2^32, each with exactly the same probability (Lemire 2019, algorithm 5). */
  integer(n: number): number {
    if (!(Number.isInteger(n) && n >= 1 && n <= 2 ** 32)) {
      throw usage("no such range of random integers", "an integer n from 1 to 2^32", n);
    }
    if (n === 2 ** 32) return this.uint32();
    let word = this.#word();
    let low = Math.imul(word, n) >>> 0;
    if (low < n) {
      const uneven = (2 ** 32 - n) % n;
      while (low < uneven) {
        word = this.#word();
        low = Math.imul(word, n) >>> 0;
      }
    }
    return multiplyHigh(word, n >>> 16, n & 0xffff) >>> 0;
  }

  /** True with probability p. */
  boolean(p: number): boolean {
    if (!(p >= 0 && p <= 1)) throw usage("no such probability", "a number from 0 to 1", p);
    return this.uniform() < p;
  }

  /**
   * A standard normal number, by Marsaglia's polar method: log and square root only, because the sine and cosine
   * of Box and Muller may differ in their last bits between versions of V8.
   */
  normal(): number {
    if (this.#spareNormal !== null) {
      const spare = this.#spareNormal;
      this.#spareNormal = null;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square > 0 && square < 1) {
        const scale = Math.sqrt((-2 * Math.log(square)) / square);
        this.#spareNormal = y * scale;
        return x * scale;
      }
    }
  }

  /** Shuffles in place (Fisher–Yates) and returns the same array. */
  shuffle<A extends Shuffleable>(array: A): A {
    const items: Shuffleable = array;
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.integer(last + 1);
      const kept = items[last];
      items[last] = items[other];
      items[other] = kept;
    }
    return array;
  }

  /** The numbers 0 … n-1 in random order. */
  permutation(n: number): Uint32Array {
    if (!(Number.isInteger(n) && n >= 0 && n <= 2 ** 32)) {
      throw usage("no such length of a permutation", "an integer from 0 to 2^32", n);
    }
    const order = new Uint32Array(n);
    for (let i = 0; i < n; i++) order[i] = i;
    return this.shuffle(order);
  }

  /** A Gamma(shape, 1) number; 0 where it is smaller than any double, as happens for shapes below 0.05. */
  gamma(shape: number): number {
    return Math.exp(this.#logGamma(shape));
  }

  /** A Beta(a, b) number in [0, 1]. In logs: for a and b near 0 both gammas of X / (X + Y) would be 0. */
  beta(a: number, b: number): number {
    const logX = this.#logGamma(a);
    const logY = this.#logGamma(b);
    return 1 / (1 + Math.exp(logY - logX));
  }

  /** Log of a Gamma(shape, 1) number: Marsaglia and Tsang 2000, with their section 6 for shapes below 1. */
  #logGamma(shape: number): number {
    // Within these limits log(uniform) / shape stays finite, so that no difference of two is NaN.
    if (!(shape >= 1e-300 && shape <= 1e300)) {
      throw usage("no such shape of a gamma or beta distribution", "a number from 1e-300 to 1e300", shape);
    }
    const boost = shape < 1 ? Math.log(1 - this.uniform()) / shape : 0;
    const d = (shape < 1 ? shape + 1 : shape) - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * root * root;
      const logV = Math.log(v);
      if (Math.log(1 - this.uniform()) < 0.5 * x * x + d * (1 - v + logV)) return Math.log(d) + logV + boost;
    }
  }

  #word(): number {
    if (this.#left === 0) this.#nextBlock();
    switch (this.#left--) {
      case 4:
        return this.#word0;
      case 3:
        return this.#word1;
      case 2:
        return this.#word2;
      default:
        return this.#word3;
    }
  }

  #nextBlock(): void {
    const block = this.#blocks++;
    const index = this.#index;
    philox(block, block / 2 ** 32, index, index / 2 ** 32, this.#key0, this.#key1, scratch);
    this.#word0 = scratch[0]!;
    this.#word1 = scratch[1]!;
    this.#word2 = scratch[2]!;
    this.#word3 = scratch[3]!;
    this.#left = 4;
  }
}

/**
 * Draws index i with probability weights[i] / sum, by bisecting the running sums. An alias table would need no
 * bisection, but its rounding can leave a weight of 0 a chance.
 */
export function weightedChooser(weights: ArrayLike<number>): (random: Random) => number {
  const sums = new Float64Array(weights.length);
  let total = 0;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw weightError(`weight ${i} is ${weight}`, "finite weights of 0 or more", `${weight} at index ${i}`);
    }
    total += weight;
    sums[i] = total;
    if (weight > 0) last = i;
  }
  if (total === 0) {
    const got = weights.length === 0 ? "no weights" : `${weights.length} weights, all 0`;
    throw weightError("nothing to choose from", "at least one weight above 0", got);
  }
  if (total === Number.POSITIVE_INFINITY) {
    throw weightError("the weights are too large to add", "a sum below 1.8e308", "an infinite sum");
  }
  // The first index whose running sum lies above the target, never one of weight 0, as its sum is its neighbour's; or
  // the last of weight, since below 1e-307 the target can round up to the total.
  return (random) => {
    const target = random.uniform() * total;
    let low = 0;
    let high = last;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > target) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/**
 * One block of Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): four 32-bit
 * words made from a counter of four words and a key of two.
 */
export function philox(
  counter0: number,
  counter1: number,
  counter2: number,
  counter3: number,
  key0: number,
  key1: number,
  words: Int32Array | Uint32Array,
): void {
  let c0 = counter0 | 0;
  let c1 = counter1 | 0;
  let c2 = counter2 | 0;
  let c3 = counter3 | 0;
  let k0 = key0 | 0;
  let k1 = key1 | 0;
  for (let round = 0; round < 10; round++) {
    const high0 = multiplyHigh(c0, 0xd251, 0x1f53);
    const high1 = multiplyHigh(c2, 0xcd9e, 0x8d57);
    const low0 = Math.imul(c0, 0xd2511f53);
    const low1 = Math.imul(c2, 0xcd9e8d57);
    c0 = high1 ^ c1 ^ k0;
    c1 = low1;
    c2 = high0 ^ c3 ^ k1;
    c3 = low0;
    k0 = (k0 + 0x9e3779b9) | 0;
    k1 = (k1 + 0xbb67ae85) | 0;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}

/** The upper 32 bits of a 64-bit product, from 16-bit halves: JavaScript's fast integers end at 32 bits. */
function multiplyHigh(a: number, bHigh: number, bLow: number): number {
  const aHigh = a >>> 16;
  const aLow = a & 0xffff;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const carry = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (carry >>> 16)) | 0;
}

const scratch = new Int32Array(4);

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isWord(value: unknown): boolean {
  return isCount(value) && value < 2 ** 32;
}

/** A state comes back from a file, so its type is a hope. */
function checkState(state: RandomState): void {
  const spare = state?.spareNormal;
  const valid =
    Array.isArray(state?.key) &&
    state.key.length === 2 &&
    state.key.every(isWord) &&
    isCount(state.index) &&
    isCount(state.drawn) &&
    (spare === null || Number.isFinite(spare));
  if (valid) return;
  throw new CuelabError({
    kind: "input",
    what: "this is no saved state of a random generator",
    expected: "{ key: [word, word], index, drawn, spareNormal: number or null }",
    got: JSON.stringify(state ?? null),
  });
}

function usage(what: string, expected: string, got: unknown): CuelabError {
  return new CuelabError({ kind: "usage", what, expected, got: String(got) });
}

function weightError(what: string, expected: string, got: string): CuelabError {
  return new CuelabError({ kind: "input", what, expected, got });
}
