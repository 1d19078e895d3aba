/** A column of a Parquet file into a sink: dictionaries are looked up once an entry, and not once a row. */

import { addHybrid, readHybrid } from "./bit-packed.ts";
import type { CodeSink, ColumnSink } from "./column-sinks.ts";
import type { Page, PageReader, Values } from "./parquet-pages.ts";

/** Small whole numbers have their codes in a list. */
const listed = 1 << 16;
/** So many rows have most values of a small dictionary. */
const someRows = 1 << 12;
/** Dictionaries that are looked up as a whole. */
const fewEntries = 1 << 12;
const fewBits = 12;

/** Lives as long as its sink, over all row groups. */
export class ParquetColumn {
  readonly #sink: ColumnSink;
  #pages: PageReader | undefined;
  #page: Page | undefined;
  /** Cells of the page that have a value, before the next row. */
  #held = 0;
  #row = 0;
  /** From places in the group's dictionary to codes, of the entries that were met. */
  #entryCodes = new Int32Array(0);
  #dictionary: Values | undefined;
  /** Codes of numbers that were met, by the number; -1 for none. */
  readonly #smallCodes: Int32Array;
  readonly #otherCodes = new Map<number, number>();

  constructor(sink: ColumnSink) {
    this.#sink = sink;
    this.#smallCodes = new Int32Array(sink.as === "codes" ? listed : 0).fill(-1);
  }

  begin(pages: PageReader): void {
    this.#pages = pages;
    this.#page = undefined;
    this.#dictionary = undefined;
  }

  /**
   * Gives codes to values that have none yet, in the order of these rows; where they are of one page with a dictionary.
   * Rows of several pages are left as they are, and their new values are found later.
   */
  learn(first: number, last: number): void {
    const page = this.#pageWith(first);
    const { places, present } = page;
    const sink = this.#sink;
    const codes = this.#entryCodes;
    let missing = codes.reduce((sum, code) => sum + (code < 0 ? 1 : 0), 0);
    if (sink.as !== "codes" || places === undefined || present !== undefined || missing === 0) return;
    if (places.width > fewBits || last > page.first + page.count) return;
    const skip = first - page.first;
    for (let [row, rows] = [0, someRows]; row < last - first && missing > 0; rows *= 8) {
      const stop = Math.min(last - first, rows);
      const entries = readHybrid(places, skip + stop);
      for (; row < stop && missing > 0; row++) {
        const entry = entries[skip + row]!;
        if (codes[entry] !== -1) continue;
        this.#value(this.#dictionary!, entry, row);
        codes[entry] = sink.codes[row]!;
        missing--;
      }
    }
  }

  /**
   * Adds, for rows of the group from first to last, the code of each times `stride` to its key; where all are in
   * dictionaries of which every value that occurs is known. Else it is false, and keys are wrong.
   */
  addKeys(first: number, last: number, stride: number, keys: Int32Array): boolean {
    for (let row = first; row < last; ) {
      const page = this.#pageWith(row);
      const { places, present } = page;
      const sink = this.#sink;
      if (sink.as !== "codes" || sink.dictionary.overflowed) return false;
      if (places === undefined || present !== undefined || places.width > fewBits) return false;
      const stop = Math.min(last, page.first + page.count);
      const amounts = new Int32Array(1 << places.width).fill(-1);
      const entries = Math.min(amounts.length, this.#entryCodes.length);
      for (let entry = 0; entry < entries; entry++) {
        if (this.#entryCodes[entry]! >= 0) amounts[entry] = this.#entryCodes[entry]! * stride;
      }
      const part = { skip: row - page.first, count: stop - row };
      if (!addHybrid(places, part, amounts, keys, row - first)) return false;
      row = stop;
    }
    return true;
  }

  /** Rows of the group from first to last go to the sink's rows from 0. */
  read(first: number, last: number): void {
    for (let row = first; row < last; ) {
      const page = this.#pageWith(row);
      this.#pass(page, row);
      const stop = Math.min(last, page.first + page.count);
      this.#emit(page, row - first, stop - row);
      row = stop;
    }
  }

  #pageWith(row: number): Page {
    if (this.#page === undefined || row >= this.#page.first + this.#page.count) {
      this.#page = this.#pages!.pageOf(row);
      [this.#row, this.#held] = [this.#page.first, 0];
      this.#renewDictionary();
    }
    return this.#page;
  }

  #renewDictionary(): void {
    const { dictionary } = this.#pages!;
    if (dictionary === this.#dictionary || dictionary === undefined) return;
    this.#dictionary = dictionary;
    const entries = lengthOf(dictionary);
    this.#entryCodes = new Int32Array(entries).fill(-1);
    const sink = this.#sink;
    if (sink.as !== "codes" || sink.dictionary.overflowed || entries > fewEntries) return;
    for (let entry = 0; entry < entries; entry++) {
      this.#entryCodes[entry] = this.#knownCode(sink, dictionary, entry);
    }
  }

  /** The code of an entry whose value was met before; -1 for others. */
  #knownCode(sink: CodeSink, values: Values, entry: number): number {
    if (values.kind === "texts") {
      return sink.dictionary.find(values.bytes, values.starts[entry]!, values.ends[entry]!);
    }
    return values.kind === "booleans" ? -1 : this.#knownNumber(Number(values.numbers[entry]!));
  }

  #knownNumber(number: number): number {
    return isListed(number) ? this.#smallCodes[number]! : (this.#otherCodes.get(number) ?? -1);
  }

  /** Moves on to a row of the page. */
  #pass({ present }: Page, row: number): void {
    if (present === undefined) this.#held += row - this.#row;
    else for (let i = this.#row; i < row; i++) this.#held += present[i - this.#page!.first]!;
    this.#row = row;
  }

  #emit(page: Page, to: number, count: number): void {
    const { present } = page;
    const indices = this.#pages!.indicesOf(page);
    const sink = this.#sink;
    const from = this.#row - page.first;
    const values = indices ? this.#dictionary : page.values;
    if (present === undefined && values !== undefined && this.#emitWhole(page, to, count)) {
      this.#held += count;
      this.#row += count;
      return;
    }
    for (let i = 0; i < count; i++) {
      if (present !== undefined && present[from + i] === 0) sink.text("", to + i);
      else {
        const at = this.#held++;
        this.#value(values!, indices ? indices[at]! : at, to + i);
      }
    }
    this.#row += count;
  }

  /** Rows that all have a value, in loops of their own; false where there is none for such values. */
  #emitWhole({ indices, values }: Page, to: number, count: number): boolean {
    const sink = this.#sink;
    const held = this.#held;
    if (sink.as === "codes" && indices) {
      const [codes, entryCodes] = [sink.codes, this.#entryCodes];
      for (let i = 0; i < count; ) {
        i = recode(indices, held, entryCodes, codes, to, i, count);
        if (i === count) break;
        const entry = indices[held + i]!;
        this.#value(this.#dictionary!, entry, to + i);
        entryCodes[entry] = codes[to + i]!;
        i++;
      }
      return true;
    }
    if (sink.as === "numbers") {
      const source = indices ? this.#dictionary! : values!;
      if (source.kind !== "numbers") return false;
      const { numbers } = source;
      const target = sink.numbers;
      let finite = true;
      for (let i = 0; i < count; i++) {
        const value = numbers[indices ? indices[held + i]! : held + i]!;
        target[to + i] = value;
        // True of no NaN, and of no infinity.
        finite = finite && value - value === 0;
      }
      if (!finite) for (let i = 0; i < count; i++) sink.number(target[to + i]!, to + i);
      return true;
    }
    return false;
  }

  #value(values: Values, at: number, row: number): void {
    const sink = this.#sink;
    if (values.kind === "texts") {
      if (at >= values.starts.length) throw new RangeError("a place beyond the dictionary");
      sink.cell(values.bytes, values.starts[at]!, values.ends[at]!, row);
      return;
    }
    const value = values.numbers[at];
    if (value === undefined) throw new RangeError("a place beyond the dictionary");
    if (values.kind === "booleans") sink.text(value ? "true" : "false", row);
    else if (sink.as === "numbers") sink.number(Number(value), row);
    else if (sink.as === "codes") this.#code(sink, value, row);
    else sink.text(String(value), row);
  }

  #code(sink: CodeSink, value: number | bigint, row: number): void {
    const number = Number(value);
    const known = this.#knownNumber(number);
    if (known >= 0) {
      sink.codes[row] = known;
      return;
    }
    sink.text(String(value), row);
    if (sink.dictionary.overflowed) return;
    if (isListed(number)) this.#smallCodes[number] = sink.codes[row]!;
    else if (typeof value === "number" || Number.isSafeInteger(number))
      this.#otherCodes.set(number, sink.codes[row]!);
  }
}

function isListed(number: number): boolean {
  return number >= 0 && number < listed && Number.isInteger(number);
}

/** Codes of entries, up to one that has none yet; says where that is. */
function recode(
  indices: Int32Array,
  held: number,
  entryCodes: Int32Array,
  codes: Int32Array,
  to: number,
  first: number,
  last: number,
): number {
  for (let i = first; i < last; i++) {
    const code = entryCodes[indices[held + i]!]!;
    // Also where there is no such entry.
    if (!(code >= 0)) return i;
    codes[to + i] = code;
  }
  return last;
}

function lengthOf(values: Values): number {
  return values.kind === "texts" ? values.starts.length : values.numbers.length;
}
