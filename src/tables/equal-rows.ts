/** Rows of codes that are equal, counted where they are read: what goes on is each of them once, and how often. */

import type { ParsedChunk, ParsedCodes } from "./parsed-chunk.ts";

/** So many combinations have a place of their own: 16 megabytes a reader. Where there are more, rows go on as they are. */
const mostPlaces = 1 << 22;

/** Rows that are counted at once: their keys stay in the processor's nearest memory. */
const blockRows = 4096;

/** Different rows, by column, and how many there are of each. */
export interface ToldRows {
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
  #wholeKeys = new Int32Array(0);

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
    const grows = needed.some((size, i) => size > this.#sizes[i]!);
    let told = grows ? this.#makePlaces(this.#roomy(needed)) : this.#nothing;
    this.#count(columns, chunk.rows);
    // The first part is told at once: who counts on has then run through it once before all the rest comes.
    if (begins) told = this.#take();
    return {
      ...chunk,
      columns: columns.map((column, i) => ({ ...column, codes: told.codes[i]! })),
      times: told.times,
    };
  }

  /**
   * The same for rows whose codes are added up by who knows them: to each key the code of every column times its stride.
   * `fresh` says how many texts of each column are new. Undefined, and nothing is counted, where that cannot be done.
   */
  addKeys(
    rows: number,
    fresh: readonly number[],
    fill: (strides: readonly number[], keys: Int32Array) => boolean,
  ): ToldRows | undefined {
    const needed = this.#known.map((size, i) => size + fresh[i]!);
    if (product(needed) > mostPlaces) return undefined;
    const grows = needed.some((size, i) => size > this.#sizes[i]!);
    const sizes = grows ? this.#roomy(needed) : this.#sizes;
    if (this.#wholeKeys.length < rows) this.#wholeKeys = new Int32Array(rows);
    const keys = this.#wholeKeys.fill(0, 0, rows);
    if (!fill(stridesOf(sizes), keys)) return undefined;
    for (const [i, size] of needed.entries()) this.#known[i] = size;
    const begins = this.#counts.length === 0;
    const told = grows ? this.#makePlaces(sizes) : this.#nothing;
    increase(this.#counts, keys, rows);
    return begins ? this.#take() : told;
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

  /** Room for more texts than there are where some came late, so that not every new one moves all. */
  #roomy(needed: readonly number[]): number[] {
    const roomy = needed.map((size, i) => {
      const before = this.#sizes[i]!;
      return size > before && before > 0 ? 2 * size : size;
    });
    return product(roomy) <= mostPlaces ? roomy : [...needed];
  }

  /** Places for so many texts, once what has places of before is told. */
  #makePlaces(sizes: number[]): ToldRows {
    const told = this.#take();
    this.#sizes = sizes;
    this.#counts = new Uint32Array(product(sizes));
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
    const keys = occupied(counts);
    const times = new Uint32Array(keys.length);
    for (let i = 0; i < keys.length; i++) times[i] = counts[keys[i]!]!;
    const strides = stridesOf(this.#sizes);
    const codes = this.#sizes.map((size, i) => digits(keys, strides[i]!, size));
    counts.fill(0);
    return { codes, times };
  }
}

/** What a code of each column adds to a key. */
function stridesOf(sizes: readonly number[]): number[] {
  return sizes.map((_, i) => product(sizes.slice(i + 1)));
}

function occupied(counts: Uint32Array): Int32Array {
  const keys = new Int32Array(counts.length);
  let found = 0;
  for (let key = 0; key < counts.length; key++) if (counts[key]! > 0) keys[found++] = key;
  return keys.subarray(0, found);
}

function digits(keys: Int32Array, stride: number, size: number): Int32Array {
  const codes = new Int32Array(keys.length);
  for (let i = 0; i < keys.length; i++) codes[i] = ((keys[i]! / stride) | 0) % size;
  return codes;
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
