/** A column of a Parquet file into a sink: dictionaries are looked up once an entry, and not once a row. */

import type { CodeSink, ColumnSink } from "./column-sinks.ts";
import type { Page, PageReader, Values } from "./parquet-pages.ts";

/** Small whole numbers have their codes in a list. */
const listed = 1 << 16;

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

  /** Rows of the group from first to last go to the sink's rows from 0. */
  read(first: number, last: number): void {
    for (let row = first; row < last; ) {
      if (this.#page === undefined || row >= this.#page.first + this.#page.count) {
        this.#page = this.#pages!.pageOf(row);
        [this.#row, this.#held] = [this.#page.first, 0];
        this.#renewDictionary();
      }
      const page = this.#page;
      this.#pass(page, row);
      const stop = Math.min(last, page.first + page.count);
      this.#emit(page, row - first, stop - row);
      row = stop;
    }
  }

  #renewDictionary(): void {
    const { dictionary } = this.#pages!;
    if (dictionary === this.#dictionary || dictionary === undefined) return;
    this.#dictionary = dictionary;
    this.#entryCodes = new Int32Array(lengthOf(dictionary)).fill(-1);
  }

  /** Moves on to a row of the page. */
  #pass({ present }: Page, row: number): void {
    if (present === undefined) this.#held += row - this.#row;
    else for (let i = this.#row; i < row; i++) this.#held += present[i - this.#page!.first]!;
    this.#row = row;
  }

  #emit(page: Page, to: number, count: number): void {
    const { present, indices } = page;
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
    const small = number >= 0 && number < listed && Number.isInteger(number);
    const known = small ? this.#smallCodes[number]! : (this.#otherCodes.get(number) ?? -1);
    if (known >= 0) {
      sink.codes[row] = known;
      return;
    }
    sink.text(String(value), row);
    if (sink.dictionary.overflowed) return;
    if (small) this.#smallCodes[number] = sink.codes[row]!;
    else if (typeof value === "number" || Number.isSafeInteger(number))
      this.#otherCodes.set(number, sink.codes[row]!);
  }
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
