/** Rows of codes that are equal, counted where they are read: what goes on is each of them once, and how often. */

import type { ParsedChunk, ParsedCodes } from "./parsed-chunk.ts";

/** So many combinations have a place of their own: 16 megabytes a reader. Where there are more, rows go on as they are. */
const mostPlaces = 1 << 22;

/** Rows that are counted at once: their keys stay in the processor's nearest memory. */
const blockRows = 4096;

/** Different rows, by column, and how many there are of each. */
interface ToldRows {
  codes: Int32Array[];
  times: Uint32Array;
}

/** Keeps its counts from part to part, and gives them away when all is read, or when codes need more places. */
export class EqualRows {
  /** Texts that each column has so far, and how many of them have places. */
  readonly #known: number[];
  #sizes: number[];
  /** By the codes of a row, each a digit, the last column varying fastest. */
  #counts = new Uint32Array(0);
  readonly #keys = new Int32Array(blockRows);

  constructor(columns: number) {
    this.#known = Array.from({ length: columns }, () => 0);
    this.#sizes = [...this.#known];
  }

  /** The same part with what is to be told of rows now: mostly nothing. */
  add(chunk: ParsedChunk): ParsedChunk {
    if (chunk.error) return chunk;
    const columns = chunk.columns as ParsedCodes[];
    for (const [i, { fresh }] of columns.entries()) this.#known[i]! += fresh.length;
    const needed = columns.map(({ overflowed }, i) => (overflowed ? 1 : this.#known[i]!));
    if (product(needed) > mostPlaces) {
      const copied = columns.map((column) => ({ ...column, codes: column.codes.slice() }));
      return { ...chunk, columns: copied, times: new Uint32Array(chunk.rows).fill(1) };
    }
    const begins = this.#counts.length === 0;
    let told = needed.some((size, i) => size > this.#sizes[i]!) ? this.#makePlaces(needed) : this.#nothing;
    this.#count(columns, chunk.rows);
    // The first part is told at once: who counts on has then run through it once before all the rest comes.
    if (begins) told = this.#take();
    return {
      ...chunk,
      columns: columns.map((column, i) => ({ ...column, codes: told.codes[i]! })),
      times: told.times,
    };
  }

  /** What was counted and not yet told. */
  rest(): ParsedChunk {
    const { codes, times } = this.#take();
    return {
      rows: 0,
      lines: 0,
      columns: codes.map((each) => ({ as: "codes", codes: each, fresh: [], overflowed: false })),
      times,
    };
  }

  /**
   * Places for all texts, once what has places of before is told. Room for more texts than there are where some came late, so that
   * not every new one moves all.
   */
  #makePlaces(needed: readonly number[]): ToldRows {
    const told = this.#take();
    const roomy = needed.map((size, i) => {
      const before = this.#sizes[i]!;
      return size > before && before > 0 ? 2 * size : size;
    });
    this.#sizes = product(roomy) <= mostPlaces ? roomy : [...needed];
    this.#counts = new Uint32Array(product(this.#sizes));
    return told;
  }

  #count(columns: readonly ParsedCodes[], rows: number): void {
    for (let first = 0; first < rows; first += blockRows) {
      const count = Math.min(blockRows, rows - first);
      this.#keys.fill(0);
      for (const [i, { codes }] of columns.entries()) {
        if (this.#sizes[i]! > 1) addDigits(this.#keys, this.#sizes[i]!, codes, first, count);
      }
      increase(this.#counts, this.#keys, count);
    }
  }

  get #nothing(): ToldRows {
    return { codes: this.#known.map(() => new Int32Array(0)), times: new Uint32Array(0) };
  }

  #take(): ToldRows {
    const counts = this.#counts;
    let found = 0;
    for (let key = 0; key < counts.length; key++) if (counts[key]! > 0) found++;
    const codes = this.#sizes.map(() => new Int32Array(found));
    const times = new Uint32Array(found);
    for (let key = 0, at = 0; key < counts.length; key++) {
      if (counts[key] === 0) continue;
      times[at] = counts[key]!;
      let left = key;
      for (let i = codes.length - 1; i >= 0; i--) {
        codes[i]![at] = left % this.#sizes[i]!;
        left = Math.trunc(left / this.#sizes[i]!);
      }
      at++;
    }
    counts.fill(0);
    return { codes, times };
  }
}

function addDigits(keys: Int32Array, size: number, codes: Int32Array, first: number, count: number): void {
  for (let i = 0; i < count; i++) keys[i] = Math.imul(keys[i]!, size) + codes[first + i]!;
}

function increase(counts: Uint32Array, keys: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) counts[keys[i]!]!++;
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}
