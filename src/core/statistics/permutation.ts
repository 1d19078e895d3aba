/**
 * Tests that shuffle: how large the largest of many statistics gets when nothing is to be found. Comparing each with
 * the maximum over all holds the probability of any false discovery, however they depend on each other (Westfall and
 * Young 1993, single-step).
 */

import type { Random } from "../random.ts";
import { blocksOf, checkCount, unitSums } from "./blocks.ts";
import { checkValues, inputError } from "./checks.ts";

export interface MaximumTest {
  /** One p-value a statistic, adjusted for all of them. */
  adjusted: Float64Array;
  /** As if each were the only one. */
  unadjusted: Float64Array;
  observed: Float64Array;
  /** Rearrangements that were looked at, the observed one among them. */
  rearrangements: number;
  /** All that there are, or a random sample of them. */
  exact: boolean;
}

export interface PermutationOptions {
  random: Random;
  /** 9,999 unless told. */
  permutations?: number;
  /** A code a row: labels change places within a stratum only. */
  strata?: ArrayLike<number> | undefined;
  /** A code a row: the rows of a cluster have one label (and stratum), and get one together. */
  clusters?: ArrayLike<number> | undefined;
}

/**
 * Labels are shuffled and every statistic computed again; larger ones speak more against chance, so that two-sided
 * tests give absolute values. Statistics should be on one scale, else the widest decides. They get labels that they may
 * read only until they return.
 */
export function permutationTest(
  labels: ArrayLike<number>,
  statistics: (labels: Float64Array) => ArrayLike<number>,
  { random, permutations = 9999, strata, clusters }: PermutationOptions,
): MaximumTest {
  checkValues("labels", labels, 2);
  checkCount("permutations", permutations);
  const blocks = blocksOf(labels, strata, clusters);
  const current = Float64Array.from(labels);
  const counter = new MaximumCounter(statistics(current));
  for (let i = 0; i < permutations; i++) {
    for (const { values, rows } of blocks) {
      random.shuffle(values);
      for (let k = 0; k < rows.length; k++) for (const row of rows[k]!) current[row] = values[k]!;
    }
    counter.add(statistics(current));
  }
  return counter.result(false);
}

export interface SignFlipOptions {
  random: Random;
  /** Random ones, where there are too many to try all; 9,999 unless told. */
  flips?: number;
  /** A code a row: the rows of a cluster change their signs together. */
  clusters?: ArrayLike<number> | undefined;
}

/** Up to so many units all signs are tried: 2^12 of them, half of which mirror the others. */
const mostExact = 13;

/**
 * For paired data: under no effect every row of differences could as well have had the other sign, in all columns at
 * once. The statistic of a column is |Σd| / √Σd², which orders rearrangements as Student's |t| does and is on one scale
 * for all. Of n units no p-value is below 2^(1-n): three seeds can show nothing here.
 */
export function signFlipTest(
  rows: ArrayLike<ArrayLike<number>>,
  { random, flips = 9999, clusters }: SignFlipOptions,
): MaximumTest {
  checkCount("flips", flips);
  const sums = unitSums(rows, clusters);
  const units = sums.length;
  const width = sums[0]!.length;
  const scale = Array.from(
    { length: width },
    (_, j) => Math.hypot(...Array.from(sums, (unit) => unit[j]!)) || 1,
  );
  const signs = new Int8Array(units).fill(1);
  const statistics = () => {
    const totals = new Float64Array(width);
    for (let i = 0; i < units; i++) for (let j = 0; j < width; j++) totals[j]! += signs[i]! * sums[i]![j]!;
    return totals.map((total, j) => Math.abs(total) / scale[j]!);
  };
  const counter = new MaximumCounter(statistics());
  if (units <= mostExact) {
    // The last unit keeps its sign: turning all signs leaves every statistic as it is.
    for (let pattern = 1; pattern < 2 ** (units - 1); pattern++) {
      for (let i = 0; i < units; i++) signs[i] = (pattern >> i) & 1 ? -1 : 1;
      counter.add(statistics());
    }
    return counter.result(true);
  }
  for (let flip = 0; flip < flips; flip++) {
    for (let i = 0; i < units; i++) signs[i] = random.uint32() & 1 ? -1 : 1;
    counter.add(statistics());
  }
  return counter.result(false);
}

/** Counts rearrangements that are at least as large as what was observed, which itself is one. */
class MaximumCounter {
  readonly #observed: Float64Array;
  /** Sums of the same terms in another order differ by rounding: those are as large. */
  readonly #limits: Float64Array;
  readonly #alone: Float64Array;
  readonly #together: Float64Array;
  #rearrangements = 1;

  constructor(observed: ArrayLike<number>) {
    checkValues("statistics", observed, 1);
    this.#observed = Float64Array.from(observed);
    this.#limits = this.#observed.map((value) => value - Math.max(1e-14, 1e-12 * Math.abs(value)));
    this.#alone = new Float64Array(observed.length).fill(1);
    this.#together = new Float64Array(observed.length).fill(1);
  }

  add(statistics: ArrayLike<number>): void {
    let largest = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < this.#observed.length; j++) {
      const value = statistics[j]!;
      if (!Number.isFinite(value)) {
        const what = `statistic ${j} of rearrangement ${this.#rearrangements} is not finite`;
        throw inputError(what, "a finite number for every arrangement", String(value));
      }
      if (value > largest) largest = value;
      if (value >= this.#limits[j]!) this.#alone[j]!++;
    }
    for (let j = 0; j < this.#limits.length; j++) if (largest >= this.#limits[j]!) this.#together[j]!++;
    this.#rearrangements++;
  }

  result(exact: boolean): MaximumTest {
    const all = this.#rearrangements;
    return {
      adjusted: this.#together.map((count) => count / all),
      unadjusted: this.#alone.map((count) => count / all),
      observed: this.#observed,
      rearrangements: all,
      exact,
    };
  }
}
