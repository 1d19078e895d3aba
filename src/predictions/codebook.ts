/** Values of a column as codes in order of appearance, whatever type of cell they come in. */

import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { truthIn } from "../core/truth.ts";
import { noValue } from "../core/words.ts";

/** More values than this do not name groups. */
const mostValues = 1_000_000;

/** How tables write that there is nothing; "none" and "-" may be values. */
const missing = ["", "nan", "null", "<na>", "n/a", "#n/a"];

export class Codebook {
  readonly name: string;
  readonly values: string[] = [];
  /** Row, from 1, in which a value was first seen; 0 for values that were declared. */
  readonly firstRows: number[] = [];
  /** How many values there may be. */
  readonly most: number;
  readonly #codes = new Map<string, number>();
  /** Set once there are more values than allowed; all codes are then 0. */
  overflowed = false;
  /** How many of the values were declared, so that their order means something: the first ones. */
  declared = 0;

  constructor(name: string, most = mostValues) {
    this.name = name;
    this.most = most;
  }

  /** A value that the data is known to have, in its place among the others. */
  declare(value: string): void {
    this.codeOf(attributeText(value), 0);
    this.declared = this.values.length;
  }

  code(cell: unknown, row: number): number {
    return this.overflowed ? 0 : this.codeOf(attributeText(cell), row);
  }

  /** The code of a text that is already in its usual form. */
  codeOf(text: string, row: number, most = this.most): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      if (this.values.length >= most) {
        this.overflowed = true;
        return 0;
      }
      code = this.values.length;
      this.values.push(text);
      this.firstRows.push(row);
      this.#codes.set(text, code);
    }
    return code;
  }

  /** The code of a value in training, which may have more of them than the table. */
  trained(cell: unknown, row: number): number {
    return this.codeOf(attributeText(cell), row, mostValues);
  }

  find(text: string): number | undefined {
    return this.#codes.get(text);
  }
}

/** The classes of a table: declared, so that nothing else may occur, or found in the order of the rows. */
export class ClassBook {
  readonly declared: boolean;
  /** Whether cells are places in the list of names and never names, as in our own files. */
  readonly #byPlace: boolean;
  readonly #book = new Codebook("class");

  constructor(names?: readonly string[], { byPlace = false } = {}) {
    this.declared = names !== undefined;
    this.#byPlace = byPlace;
    for (const name of names ?? []) this.#book.codeOf(name, 0);
  }

  get names(): readonly string[] {
    return this.#book.values;
  }

  firstRowOf(code: number): number {
    return this.#book.firstRows[code]!;
  }

  /** The class in a cell; throws where there is none, or none that is known. */
  code(cell: unknown, column: string, where: (row: number) => string, row: number): number {
    const text = classText(cell, column, where, row);
    const code = this.#find(text) ?? (this.declared ? undefined : this.#book.codeOf(text, row));
    if (code === undefined) throw this.#unknown(text, `column "${column}" holds no class`, where(row));
    return code;
  }

  /** A class by what people call it: its name, or its place. */
  find(name: string): number | undefined {
    const text = cellText(name);
    return this.#book.find(text) ?? this.#place(text);
  }

  /** The class that a column of scores is named after. */
  ofColumn(suffix: string): number | undefined {
    return this.#find(cellText(suffix));
  }

  /** As `find`, adding it where classes are not declared: training may know classes that the table lacks. */
  trained(cell: unknown, where: string): number {
    const text = cellText(cell);
    const code = this.find(text) ?? (this.declared ? undefined : this.#book.codeOf(text, 0));
    if (code === undefined) throw this.#unknown(text, "the training counts name an unknown class", where);
    return code;
  }

  #find(text: string): number | undefined {
    if (this.#byPlace) return this.#place(text);
    return this.#book.find(text) ?? this.#place(text) ?? this.#sameTruth(text);
  }

  /** True and 1, false and 0 are one class, where all classes are such: pandas writes booleans beside whole numbers. */
  #sameTruth(text: string): number | undefined {
    const truth = truthIn(text);
    if (truth === undefined || this.names.some((name) => truthIn(name) === undefined)) return undefined;
    const code = this.names.findIndex((name) => truthIn(name) === truth);
    return code < 0 ? undefined : code;
  }

  #place(text: string): number | undefined {
    if (!this.declared || !/^\d+$/.test(text)) return undefined;
    return Number(text) < this.names.length ? Number(text) : undefined;
  }

  #unknown(text: string, what: string, where: string): CuelabError {
    const close = nearest(text, this.names);
    return new CuelabError({
      kind: "input",
      what,
      where,
      expected: this.#byPlace
        ? `a whole number from 0 to ${this.names.length - 1}`
        : `one of: ${someOf(this.names)}`,
      got: JSON.stringify(text),
      ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
    });
  }
}

export function someOf(names: readonly string[], most = 12): string {
  return names.length <= most
    ? names.join(", ")
    : `${names.slice(0, most).join(", ")}, … (${names.length} in all)`;
}

/** A cell as text: 1, 1.0 and "1" are one value. */
export function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell === "object")
    return cell instanceof Date ? cell.toISOString() : (JSON.stringify(cell) ?? "");
  const text = String(cell as string | number | bigint | boolean).trim();
  return /^-?\d+\.0+$/.test(text) ? text.slice(0, text.indexOf(".")) : text;
}

/** The text of a cell that must name a class; throws where it holds nothing. */
export function classText(
  cell: unknown,
  column: string,
  where: (row: number) => string,
  row: number,
): string {
  const text = cellText(cell);
  if (missing.includes(text.toLowerCase())) throw noClass(column, where(row), text);
  return text;
}

/** Where a cell has nothing, however that is written, that is one value of its own. */
export function attributeText(cell: unknown): string {
  const text = cellText(cell);
  return missing.includes(text.toLowerCase()) ? noValue : text;
}

function noClass(column: string, where: string, text: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `column "${column}" lacks a class`,
    where,
    expected: "a class in every row",
    got: text === "" ? "nothing" : `"${text}"`,
  });
}
