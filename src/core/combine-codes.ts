/**
 * Columns of codes as one code a row: the combinations that occur, numbered in the order of the columns' own codes, the
 * last column varying fastest. Only what occurs costs memory, and nothing is looked up by text.
 */

import { CuelabError } from "./errors.ts";
import type { Codes } from "./group-axes.ts";

export interface CombinedCodes {
  /** The combination of each row, below `count`. */
  codes: Int32Array;
  count: number;
}

/** Tables of this many places are cheaper than looking up; with many rows larger ones are, too. */
const fewPlaces = 2 ** 16;
const mostPlaces = 2 ** 22;

export interface CombinedColumn {
  codes: Codes;
  /** All codes are below it. */
  size: number;
}

/** Of all rows, or of those at the given places. */
export function combineCodes(
  columns: readonly CombinedColumn[],
  count: number,
  rows: Uint32Array | undefined,
): CombinedCodes {
  const places = Math.min(mostPlaces, Math.max(fewPlaces, 4 * count));
  const codes = new Int32Array(count);
  let size = Math.min(1, count);
  // Whether every number below `size` occurs.
  let dense = true;
  for (const column of columns) {
    if (size * column.size > places && !dense) size = numberedInPlace(codes, size);
    dense = false;
    if (size * column.size <= places) {
      refine(codes, column, rows);
      size *= column.size;
    } else {
      size = lookedUp(codes, column, rows);
      dense = true;
    }
  }
  return { codes, count: dense ? size : numberedInPlace(codes, size) };
}

function refine(codes: Int32Array, column: CombinedColumn, rows: Uint32Array | undefined): void {
  const { codes: values, size } = column;
  let wrong = -1;
  for (let i = 0; i < codes.length; i++) {
    const value = values[rows === undefined ? i : rows[i]!]!;
    // Also of a negative one, which is a large one without its sign.
    if (value >>> 0 >= size) wrong = i;
    codes[i] = codes[i]! * size + value;
  }
  if (wrong >= 0) throw strangeCode(column, rows === undefined ? wrong : rows[wrong]!);
}

/** Numbers of which some do not occur become numbers of those that do, in the same order. */
function numberedInPlace(codes: Int32Array, size: number): number {
  const numbers = new Int32Array(size);
  for (let i = 0; i < codes.length; i++) numbers[codes[i]!] = 1;
  let count = 0;
  for (let code = 0; code < size; code++) if (numbers[code] === 1) numbers[code] = count++;
  if (count < size) for (let i = 0; i < codes.length; i++) codes[i] = numbers[codes[i]!]!;
  return count;
}

/** Refines by a column of so many values that most combinations do not occur: these are found by hashing, and sorted. */
function lookedUp(codes: Int32Array, column: CombinedColumn, rows: Uint32Array | undefined): number {
  const { codes: values, size } = column;
  const found = new KeyNumbers();
  for (let i = 0; i < codes.length; i++) {
    const row = rows === undefined ? i : rows[i]!;
    const value = values[row]!;
    if (value >>> 0 >= size) throw strangeCode(column, row);
    // At most 2³¹ combinations of at most 2²² values each are told apart by a double.
    codes[i] = found.number(codes[i]! * size + value);
  }
  const rank = found.ranks();
  for (let i = 0; i < codes.length; i++) codes[i] = rank[codes[i]!]!;
  return rank.length;
}

function strangeCode({ codes, size }: CombinedColumn, row: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "a column has a code that stands for no value",
    where: `row ${row + 1}`,
    expected: `codes from 0 to ${size - 1}`,
    got: String(codes[row]),
  });
}

/** Whole numbers in order of appearance: an open-addressing table, at most half full. */
class KeyNumbers {
  #size = 0;
  #keys = new Float64Array(1024);
  /** Number + 1; 0 is free. */
  #slots = new Int32Array(2048);

  number(key: number): number {
    const slot = this.#slotOf(key);
    const known = this.#slots[slot]!;
    if (known > 0) return known - 1;
    if (this.#size === this.#keys.length) this.#grow();
    this.#keys[this.#size] = key;
    this.#slots[this.#slotOf(key)] = ++this.#size;
    return this.#size - 1;
  }

  /** Of each number the place of its key among all keys by size. */
  ranks(): Int32Array {
    const ranks = new Int32Array(this.#size);
    const sorted = this.#keys.slice(0, this.#size).sort();
    for (let place = 0; place < sorted.length; place++) {
      ranks[this.#slots[this.#slotOf(sorted[place]!)]! - 1] = place;
    }
    return ranks;
  }

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let hash = Math.imul((key % 4_294_967_296) ^ Math.imul(key / 4_294_967_296, 0x85ebca6b), 0x9e3779b1);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 13)) & mask;
    while (this.#slots[slot] !== 0 && this.#keys[this.#slots[slot]! - 1] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let number = 0; number < this.#size; number++) {
      this.#slots[this.#slotOf(keys[number]!)] = number + 1;
    }
  }
}
