/** Sums over cells of class and cues that count each cell, not each image: means, contrasts between them, and their errors. */

import type { Random } from "../../core/random.ts";
import { normalQuantile, normalTwoSided } from "../../core/statistics/distributions.ts";

export interface CellEstimate {
  value: number;
  error: number;
  /** 95%, over images. */
  low: number;
  high: number;
}

const wide = normalQuantile(0.975);

/** Σ over cells of the mean of `numbers` in it; each image's number has its cell's coefficient in it already. */
export function sumOfMeans(numbers: ArrayLike<number>, cells: ArrayLike<number>): CellEstimate {
  const count: number[] = [];
  const sum: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const cell = cells[i]!;
    count[cell] = (count[cell] ?? 0) + 1;
    sum[cell] = (sum[cell] ?? 0) + numbers[i]!;
  }
  const squares: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    const cell = cells[i]!;
    squares[cell] = (squares[cell] ?? 0) + (numbers[i]! - sum[cell]! / count[cell]!) ** 2;
  }
  let [value, variance] = [0, 0];
  for (const [cell, n] of count.entries()) {
    if (n === undefined) continue;
    value += sum[cell]! / n;
    variance += squares[cell]! / (Math.max(1, n - 1) * n);
  }
  const error = Math.sqrt(variance);
  return { value, error, low: value - wide * error, high: value + wide * error };
}

/** That it is not 0. */
export function pOf({ value, error }: CellEstimate): number {
  return error === 0 ? Number(value === 0) : normalTwoSided(value / error);
}

/** Numbers of what several codes say together, among those that occur. */
export function together(...codes: readonly ArrayLike<number>[]): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from({ length: codes[0]!.length }, (_, i) => {
    const key = codes.map((each) => each[i]!).join();
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    return number;
  });
}

/** One over the size of each image's cell. */
export function evenWeights(cells: ArrayLike<number>): Float32Array {
  const count: number[] = [];
  for (let i = 0; i < cells.length; i++) count[cells[i]!] = (count[cells[i]!] ?? 0) + 1;
  return Float32Array.from({ length: cells.length }, (_, i) => 1 / count[cells[i]!]!);
}

/** Values change places among images of one cell. */
export function shuffledWithin(codes: Int32Array, cells: Int32Array, random: Random): Int32Array {
  const members = new Map<number, number[]>();
  for (const [i, cell] of cells.entries()) members.set(cell, [...(members.get(cell) ?? []), i]);
  const made = Int32Array.from(codes);
  for (const own of members.values()) {
    const others = random.shuffle([...own]);
    for (const [k, place] of own.entries()) made[place] = codes[others[k]!]!;
  }
  return made;
}
