/** Counts by combinations of codes. Only combinations that occur cost memory: of 10⁸ nominal groups few are occupied. */

import { CuelabError } from "../core/errors.ts";

/** More combinations than this are a mistake in the choice of attributes, and would not fit into memory. */
const mostCombinations = 1_000_000;

/** Of each row whether it is right, and right by the baseline, and how many rows it stands for. */
interface RowTallies {
  correct: Uint8Array;
  baselineCorrect?: Uint8Array | undefined;
  times?: Uint32Array | undefined;
}

/** An open-addressing hash table from `width` codes to `tallies` running counts, in order of first appearance. */
export class CountTable {
  readonly width: number;
  readonly tallies: number;
  readonly #most: number;
  #size = 0;
  #codes: Int32Array;
  #counts: Float64Array;
  /** Index of the combination + 1; 0 is free. A power of two long, at most half full. */
  #slots = new Int32Array(2048);
  readonly #direct: DirectIndex;

  constructor(width: number, tallies: number, most = mostCombinations) {
    this.width = width;
    this.tallies = tallies;
    this.#most = most;
    this.#direct = new DirectIndex(width);
    this.#codes = new Int32Array(1024 * width);
    this.#counts = new Float64Array(1024 * tallies);
  }

  get size(): number {
    return this.#size;
  }

  /** Index of the combination, which is new where it was not known. */
  indexOf(codes: ArrayLike<number>, start = 0): number {
    let slot = this.#hash(codes, start) & (this.#slots.length - 1);
    for (;;) {
      const index = this.#slots[slot]! - 1;
      if (index < 0) return this.#insert(codes, start, slot);
      if (this.#equals(index, codes, start)) return index;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
  }

  /**
   * Rows, by their codes at each position, in the tallies of all, right, baseline right, and both right. Where codes are
   * few enough, combinations are found by a number that is made of them and not by a hash.
   */
  addRows(codes: readonly Int32Array[], { correct, baselineCorrect, times }: RowTallies): void {
    const rows = correct.length;
    const keys = this.#direct.keysOf(codes, rows);
    const key = new Int32Array(this.width);
    for (let row = 0; row < rows; row++) {
      let index = keys === undefined ? -1 : this.#direct.indices[keys[row]!]! - 1;
      if (index < 0) {
        for (let i = 0; i < key.length; i++) key[i] = codes[i]![row]!;
        index = this.indexOf(key);
        if (keys !== undefined) this.#direct.indices[keys[row]!] = index + 1;
      }
      const at = index * this.tallies;
      const equal = times === undefined ? 1 : times[row]!;
      const right = correct[row]!;
      this.#counts[at]! += equal;
      this.#counts[at + 1]! += right * equal;
      if (baselineCorrect !== undefined) {
        this.#counts[at + 2]! += baselineCorrect[row]! * equal;
        this.#counts[at + 3]! += (right & baselineCorrect[row]!) * equal;
      }
    }
  }

  increase(index: number, tally: number, by = 1): void {
    this.#counts[index * this.tallies + tally]! += by;
  }

  count(index: number, tally: number): number {
    return this.#counts[index * this.tallies + tally]!;
  }

  /** The code of a combination at a position. */
  code(index: number, position: number): number {
    return this.#codes[index * this.width + position]!;
  }

  /** Good until the next combination is added. */
  codes(index: number): Int32Array {
    return this.#codes.subarray(index * this.width, (index + 1) * this.width);
  }

  /** Index in this table of another one's combination, from some position on. */
  indexFrom(other: CountTable, index: number, position: number): number {
    return this.indexOf(other.#codes, index * other.width + position);
  }

  /** The same counts without what one position tells: its code is 0 everywhere. */
  without(position: number): CountTable {
    return this.#merged(Array.from({ length: this.width }, (_, i) => (i === position ? undefined : i)));
  }

  /** The same counts by some of the positions alone. */
  projected(positions: readonly number[]): CountTable {
    return this.#merged(positions);
  }

  /** By the codes at these positions; 0 for none. */
  #merged(positions: readonly (number | undefined)[]): CountTable {
    const merged = new CountTable(positions.length, this.tallies, this.#most);
    const key = new Int32Array(positions.length);
    for (let index = 0; index < this.#size; index++) {
      for (let i = 0; i < key.length; i++) {
        const position = positions[i];
        key[i] = position === undefined ? 0 : this.code(index, position);
      }
      const target = merged.indexOf(key);
      for (let tally = 0; tally < this.tallies; tally++)
        merged.increase(target, tally, this.count(index, tally));
    }
    return merged;
  }

  #insert(codes: ArrayLike<number>, start: number, slot: number): number {
    if (this.#size === this.#most) throw tooMany(this.#most);
    const index = this.#size++;
    if ((index + 1) * this.width > this.#codes.length) this.#codes = grown(this.#codes, Int32Array);
    if ((index + 1) * this.tallies > this.#counts.length) this.#counts = grown(this.#counts, Float64Array);
    for (let i = 0; i < this.width; i++) this.#codes[index * this.width + i] = codes[start + i]!;
    this.#slots[slot] = index + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return index;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    for (let index = 0; index < this.#size; index++) {
      let slot = this.#hash(this.#codes, index * this.width) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }

  #equals(index: number, codes: ArrayLike<number>, start: number): boolean {
    const own = index * this.width;
    for (let i = 0; i < this.width; i++) if (this.#codes[own + i] !== codes[start + i]) return false;
    return true;
  }

  /** Mixed after every code and once more at the end, so that small codes do not crowd neighbouring slots. */
  #hash(codes: ArrayLike<number>, start: number): number {
    let hash = 0;
    for (let i = 0; i < this.width; i++) {
      hash = Math.imul(hash ^ codes[start + i]!, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash, 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }
}

/** So many combinations of codes have a place of their own: a few megabytes. */
const mostBits = 20;

/** From combinations of small codes to their index, by the bits of the codes side by side. */
class DirectIndex {
  /** Bits of each position, as many as the codes so far need. */
  readonly #bits: Int32Array;
  #keys = new Int32Array(0);
  /** Index + 1; 0 for combinations that were not met. */
  indices = new Int32Array(1);

  constructor(width: number) {
    this.#bits = new Int32Array(width);
  }

  /** The place of each row's combination; undefined where codes are too large for that. */
  keysOf(codes: readonly Int32Array[], rows: number): Int32Array | undefined {
    const total = () => this.#bits.reduce((sum, bits) => sum + bits, 0);
    if (total() > mostBits) return undefined;
    if (rows > this.#keys.length) this.#keys = new Int32Array(rows);
    const keys = this.#keys;
    keys.fill(0, 0, rows);
    let grew = false;
    for (const [position, column] of codes.entries()) {
      const bits = this.#bits[position]!;
      let all = 0;
      for (let row = 0; row < rows; row++) {
        const code = column[row]!;
        all |= code;
        keys[row] = (keys[row]! << bits) | code;
      }
      const needed = 32 - Math.clz32(all);
      if (needed > bits) [this.#bits[position], grew] = [needed, true];
    }
    if (!grew) return keys;
    // Codes are larger than before, and all places move.
    this.indices = new Int32Array(total() > mostBits ? 0 : 2 ** total());
    return this.keysOf(codes, rows);
  }
}

function grown<Numbers extends Int32Array | Float64Array>(
  numbers: Numbers,
  make: new (length: number) => Numbers,
): Numbers {
  const larger = new make(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

function tooMany(most: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "there are too many combinations of class and attribute values to count",
    expected: `at most ${most.toLocaleString("en")} that occur`,
    got: "more",
    todo: "choose fewer attributes with --cues or --groups, or leave out columns that name single images",
  });
}
