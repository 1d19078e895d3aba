/** Which class a mark speaks for, when nobody has said which: what all classes gain by all marks, against chance. */

import { setImmediate } from "node:timers/promises";
import type { Random } from "../../core/random.ts";
import type { AnswersOfImage } from "./tally.ts";

/** Changes of every class's probability, image by image: of the marks less plain, and less their controls. */
export class MarkSums {
  readonly images: number;
  readonly classes: number;
  readonly marks: number;
  /** [images, marks × classes]. */
  readonly gains: Float32Array;
  readonly #lessControl: Float64Array;
  readonly #squares: Float64Array;
  readonly #gainsInClass: Float64Array;
  readonly #rightInClass: Int32Array;
  readonly #inClass: Uint32Array;
  readonly #plain: Float64Array;
  #seen = 0;

  constructor(images: number, classes: number, marks: number) {
    this.images = images;
    this.classes = classes;
    this.marks = marks;
    const columns = marks * classes;
    this.gains = new Float32Array(images * columns);
    this.#lessControl = new Float64Array(columns);
    this.#squares = new Float64Array(columns);
    this.#gainsInClass = new Float64Array(columns);
    this.#rightInClass = new Int32Array(columns);
    this.#inClass = new Uint32Array(classes);
    this.#plain = new Float64Array(classes);
  }

  add(image: number, mark: number, { wanted, plain, changed, control }: AnswersOfImage): void {
    const { classes, marks } = this;
    const own = (image * marks + mark) * classes;
    for (let k = 0; k < classes; k++) {
      const at = mark * classes + k;
      this.gains[own + k] = changed[k]! - plain[k]!;
      const less = changed[k]! - control[k]!;
      this.#lessControl[at]! += less;
      this.#squares[at]! += less * less;
      if (mark === 0) this.#plain[k]! += plain[k]!;
    }
    if (mark === 0) {
      this.#seen++;
      this.#inClass[wanted]!++;
    }
    const at = mark * classes + wanted;
    this.#gainsInClass[at]! += changed[wanted]! - plain[wanted]!;
    this.#rightInClass[at]! += isFirst(changed, wanted) - isFirst(plain, wanted);
  }

  /** Of one class and one mark. */
  of(mark: number, k: number) {
    const { classes, images } = this;
    const at = mark * classes + k;
    let gain = 0;
    for (let i = 0; i < images; i++) gain += this.gains[i * this.marks * classes + at]!;
    const lessControl = this.#lessControl[at]! / images;
    const variance = (this.#squares[at]! - images * lessControl ** 2) / Math.max(1, images - 1);
    const members = this.#inClass[k]!;
    return {
      /** Mean probability of plain images. */
      probability: this.#plain[k]! / this.#seen,
      gain: gain / images,
      lessControl,
      error: Math.sqrt(Math.max(0, variance) / images),
      members,
      gainInClass: members === 0 ? null : this.#gainsInClass[at]! / members,
      accuracyGapInClass: members === 0 ? null : this.#rightInClass[at]! / members,
    };
  }
}

function isFirst(probabilities: Float32Array, k: number): number {
  return probabilities.every((value, other) => value < probabilities[k]! || other >= k) &&
    probabilities.every((value) => value <= probabilities[k]!)
    ? 1
    : 0;
}

export interface SwapHooks {
  signal?: AbortSignal | undefined;
  onFlips?: ((done: number) => void) | undefined;
}

/** In milliseconds. */
const longestTurn = 50;

/**
 * P-values of mean gains, one a column, adjusted for all columns: under no effect of marks, plain and marked could as well have changed
 * places within any image, in all columns at once. The largest mean gain of all columns is compared, so that it holds for whichever
 * class and mark comes out first. With a thousand classes it takes a minute, in which others get their turns.
 */
export async function swapTest(
  gains: Float32Array,
  images: number,
  { random, flips, signal, onFlips }: { random: Random; flips: number } & SwapHooks,
): Promise<{ gains: Float64Array; adjusted: Float64Array }> {
  const columns = gains.length / images;
  const observed = new Float64Array(columns);
  for (let i = 0; i < images; i++) for (let c = 0; c < columns; c++) observed[c]! += gains[i * columns + c]!;
  const larger = new Float64Array(columns).fill(1);
  const order = Uint32Array.from(observed.keys()).sort((a, b) => observed[a]! - observed[b]!);
  const sums = new Float64Array(columns);
  let turn = performance.now();
  for (let flip = 0; flip < flips; flip++) {
    // All against, and those that stay twice for: half of the additions.
    for (let c = 0; c < columns; c++) sums[c] = -observed[c]!;
    for (let i = 0; i < images; i++) {
      const row = i * columns;
      if (random.boolean(0.5)) for (let c = 0; c < columns; c++) sums[c]! += 2 * gains[row + c]!;
    }
    if (performance.now() - turn > longestTurn) {
      await setImmediate();
      signal?.throwIfAborted();
      onFlips?.(flip);
      turn = performance.now();
    }
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < columns; c++) if (sums[c]! > most) most = sums[c]!;
    // Sums of the same terms in another order differ by rounding: those are as large.
    const limit = most + 1e-9 * Math.max(1, Math.abs(most));
    for (const c of order) {
      if (observed[c]! > limit) break;
      larger[c]!++;
    }
  }
  return {
    gains: observed.map((sum) => sum / images),
    adjusted: larger.map((count) => count / (flips + 1)),
  };
}
