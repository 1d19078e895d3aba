/** Columns of a part of a file while its cells come in. */

import { isMissing } from "../core/words.ts";
import { decimal } from "./decimal.ts";
import { numberCell } from "./number-cell.ts";
import type { ParsedColumn, ParsedNumbers } from "./parsed-chunk.ts";
import { type ColumnRequest, mostTexts, type OddCell } from "./table.ts";
import { hashOf, TextDictionary, utf8Text } from "./text-dictionary.ts";

/** Codes; the texts stay known from part to part. */
export class CodeSink {
  readonly as = "codes";
  readonly dictionary: TextDictionary;
  codes = new Int32Array(1024);
  readonly #lend: boolean;

  /** What is lent is good until the next part is read. */
  constructor(most: number, lend: boolean) {
    this.#lend = lend;
    this.dictionary = new TextDictionary(most);
  }

  grow(rows: number): void {
    if (rows <= this.codes.length) return;
    const larger = new Int32Array(rows);
    larger.set(this.codes);
    this.codes = larger;
  }

  cell(bytes: Uint8Array, first: number, last: number, row: number): void {
    this.codes[row] = this.dictionary.code(bytes, first, last, hashOf(bytes, first, last), row);
  }

  text(text: string, row: number): void {
    this.codes[row] = this.dictionary.codeOf(text, row);
  }

  take(rows: number): ParsedColumn {
    const { overflowed } = this.dictionary;
    const codes = this.#lend ? this.codes.subarray(0, rows) : this.codes.slice(0, rows);
    if (overflowed) codes.fill(0);
    return { as: "codes", codes, fresh: this.dictionary.takeFresh(), overflowed };
  }
}

export class NumberSink {
  readonly as = "numbers";
  numbers = new Float64Array(1024);
  /** Of the cell that comes next, where the file has lines. */
  line: number | undefined;
  #missing: OddCell | undefined;
  #wrong: OddCell | undefined;
  #point: OddCell | undefined;
  #comma: OddCell | undefined;
  #percent: OddCell | undefined;
  #plain: OddCell | undefined;

  grow(rows: number): void {
    if (rows <= this.numbers.length) return;
    const larger = new Float64Array(rows);
    larger.set(this.numbers);
    this.numbers = larger;
  }

  /** A cell that the scanner did not take for a number by itself. */
  cell(bytes: Uint8Array, first: number, last: number, row: number): void {
    const fast = decimal(bytes, first, last);
    if (!Number.isNaN(fast)) {
      this.numbers[row] = fast;
      const point = bytes.subarray(first, last).includes(0x2e);
      if (this.newWay(point)) this.pointed(row, point, utf8Text(bytes, first, last));
      return;
    }
    const text = utf8Text(bytes, first, last).trim();
    const found = numberCell(text);
    this.numbers[row] = found?.value ?? Number.NaN;
    if (found === undefined) {
      if (isMissing(text)) this.#missing ??= { row, text, line: this.line };
      else this.#wrong ??= { row, text, line: this.line };
      return;
    }
    if (found.comma) this.#comma ??= { row, text };
    else if (text.includes(".")) this.#point ??= { row, text };
    if (found.percent) this.#percent ??= { row, text };
    else this.#plain ??= { row, text };
  }

  /** A number that came as one. */
  number(value: number, row: number): void {
    this.numbers[row] = value;
    if (Number.isNaN(value)) this.#missing ??= { row, text: "NaN" };
    else if (!Number.isFinite(value)) this.#wrong ??= { row, text: String(value) };
  }

  text(text: string, row: number): void {
    const bytes = Buffer.from(text);
    this.cell(bytes, 0, bytes.length, row);
  }

  /** Whether a plain number, with a point or without, is the first of its kind. */
  newWay(point: boolean): boolean {
    return this.#plain === undefined || (point && this.#point === undefined);
  }

  pointed(row: number, point: boolean, text: string): void {
    this.#plain ??= { row, text };
    if (point) this.#point ??= { row, text };
  }

  take(rows: number): ParsedNumbers {
    const taken: ParsedNumbers = {
      as: "numbers",
      numbers: this.numbers.slice(0, rows),
      missing: this.#missing,
      wrong: this.#wrong,
      ways: { point: this.#point, comma: this.#comma, percent: this.#percent, plain: this.#plain },
    };
    this.#missing = this.#wrong = this.#point = this.#comma = this.#percent = this.#plain = undefined;
    return taken;
  }
}

class TextSink {
  readonly as = "texts";
  #texts: string[] = [];
  /** Texts that come often are made once. */
  readonly #dictionary = new TextDictionary(4096);
  readonly #known: string[] = [];

  grow(): void {}

  cell(bytes: Uint8Array, first: number, last: number, row: number): void {
    const code = this.#dictionary.code(bytes, first, last, hashOf(bytes, first, last), row);
    if (this.#dictionary.overflowed) this.#texts[row] = utf8Text(bytes, first, last);
    else {
      if (code === this.#known.length) this.#known.push(this.#dictionary.takeFresh()[0]!.text);
      this.#texts[row] = this.#known[code]!;
    }
  }

  text(text: string, row: number): void {
    this.#texts[row] = text;
  }

  take(rows: number): ParsedColumn {
    const texts = this.#texts.slice(0, rows);
    this.#texts = [];
    return { as: "texts", texts };
  }
}

export type ColumnSink = CodeSink | NumberSink | TextSink;

export function sinkFor({ as, most = mostTexts }: ColumnRequest, lend = false): ColumnSink {
  return as === "codes" ? new CodeSink(most, lend) : as === "numbers" ? new NumberSink() : new TextSink();
}
