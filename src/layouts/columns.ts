/** Table columns read value by value into compact codes, whatever the values are, and made into attributes. */

import { decimalOf } from "../core/decimal-of.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { sourceColumn } from "../core/own-columns.ts";
import { inValueOrder } from "../core/value-order.ts";

/** More distinct values than this make a column an identifier, not an attribute. */
const mostValues = 65_536;

/** A column of one of our own tables: original names of files may be as many as there are images. */
export function ownColumn(name: string): ReadColumn {
  return new ReadColumn(name, name === sourceColumn ? 2 ** 32 : mostValues);
}

/** One column as codes into its distinct values, in order of first appearance. */
export class ReadColumn {
  readonly name: string;
  values: string[] = [];
  #codes: Uint16Array | Uint32Array;
  readonly #most: number;
  #length = 0;
  readonly #codeOf = new Map<string, number>();
  /** Set once there are too many distinct values; the column is then of no use as an attribute. */
  overflowed = false;

  constructor(name: string, most = mostValues) {
    this.name = name;
    this.#most = most;
    this.#codes = most > mostValues ? new Uint32Array(1024) : new Uint16Array(1024);
  }

  get length(): number {
    return this.#length;
  }

  push(value: string): void {
    if (this.#length === this.#codes.length) {
      const length = this.#codes.length * 2;
      const grown = this.#most > mostValues ? new Uint32Array(length) : new Uint16Array(length);
      grown.set(this.#codes);
      this.#codes = grown;
    }
    let code = this.#codeOf.get(value);
    if (code === undefined) {
      if (this.values.length === this.#most) {
        this.overflowed = true;
        code = 0;
      } else {
        code = this.values.length;
        this.values.push(value);
        this.#codeOf.set(value, code);
      }
    }
    this.#codes[this.#length++] = code;
  }

  /** Numbers with a decimal comma, as other countries write them, become numbers with a point. */
  readDecimalCommas(): void {
    const numbers = this.values.filter((value) => value.trim() !== "");
    const isOne = (value: string) => /^\s*[+-]?\d+(,\d+)?\s*$/.test(value);
    // Three digits after each comma could be thousands.
    if (!numbers.every(isOne) || !numbers.some((value) => /,(\d{1,2}|\d{4,})\s*$/.test(value))) return;
    const spelled = this.values.map((value) => value.replace(",", "."));
    if (new Set(spelled).size === spelled.length) this.values = spelled;
  }

  /** The text in row `row`. */
  at(row: number): string {
    return this.values[this.#codes[row]!]!;
  }

  /** Whole numbers, for a column that holds codes; `limit` is one more than the largest allowed. */
  integers(limit: number, where: string): Uint16Array {
    const numbers = this.values.map(decimalOf);
    numbers.forEach((number, code) => {
      if (Number.isInteger(number) && number >= 0 && number < limit && this.values[code]!.trim() !== "")
        return;
      throw new CuelabError({
        kind: "input",
        what: `column "${this.name}" holds a value that it may not`,
        where: `${where}, row ${this.#firstRow(code) + 1}`,
        expected: `a whole number from 0 to ${limit - 1}`,
        got: `"${this.values[code]}"`,
      });
    });
    return Uint16Array.from(this.#codes.subarray(0, this.#length), (code) => numbers[code]!);
  }

  /** Codes into value names: in the order given, which has them all, or in that of the values. */
  factorised(order?: readonly string[]): { values: Uint16Array; valueNames: string[] } {
    const valueNames = order ? [...order] : inValueOrder(this.values).names;
    const rank = new Map(valueNames.map((value, i) => [value, i]));
    const renamed = this.values.map((value) => lookUp(rank, value));
    return {
      values: Uint16Array.from(this.#codes.subarray(0, this.#length), (code) => renamed[code]!),
      valueNames,
    };
  }

  /** The row where this value first stands, for error messages. */
  firstRowOf(value: string): number {
    return this.#firstRow(this.#codeOf.get(value) ?? -1);
  }

  #firstRow(code: number): number {
    return this.#codes.subarray(0, this.#length).indexOf(code);
  }
}

/** Every image needs a class and a split: an empty cell is a mistake in the table. */
export function refuseMissing(column: ReadColumn, table: string, what: "label" | "split"): void {
  const missing = column.values.find((value) =>
    ["", "nan", "null", "none", "na"].includes(value.trim().toLowerCase()),
  );
  if (missing === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `column "${column.name}" lacks a ${what}`,
    where: `${table}, row ${column.firstRowOf(missing) + 1}`,
    expected: `a ${what === "label" ? "class" : what} for every image`,
    got: missing === "" ? "nothing" : `"${missing}"`,
  });
}

/** Rows beyond the limit have lost their values, so that a column of classes would be wrong in silence. */
export function refuseOverflow(column: ReadColumn, table: string): void {
  if (!column.overflowed) return;
  throw new CuelabError({
    kind: "input",
    what: `column "${column.name}" has too many values for classes; is this the label column?`,
    where: table,
    expected: `at most ${mostValues} distinct values`,
    got: "more",
    todo: "name the right column with --label-column",
  });
}
