/** Tables of accuracies, read column by column: numbers as doubles, texts as codes. */

import { CuelabError } from "../../core/errors.ts";

export interface AccuracyTexts {
  codes: Uint32Array;
  /** What each code stands for, in order of appearance. */
  values: readonly string[];
}

/** Which columns, and as what. */
export interface AccuracyRequest {
  numbers: readonly string[];
  texts: readonly string[];
}

export interface ReadColumns {
  rows: number;
  /** NaN where a cell is empty. */
  numbers: ReadonlyMap<string, Float64Array>;
  texts: ReadonlyMap<string, AccuracyTexts>;
}

export interface ReadAccuracyOptions {
  signal?: AbortSignal | undefined;
  onRows?: ((rows: number) => void) | undefined;
  /** While predictions of many models are counted. */
  onFiles?: ((done: number, all: number) => void) | undefined;
}

/** Images of one kind that models were measured on, with the groups in it. */
export interface MeasuredEnvironment {
  /** Also the column of the accuracy over all its images. */
  name: string;
  images: number;
  /** Each with its column, unless it has no images. */
  groups: readonly { name: string; column: string; images: number }[];
}

export interface AccuracyTable {
  path: string;
  columns: readonly string[];
  /** Where accuracies were counted from predictions. */
  environments?: readonly MeasuredEnvironment[];
  /** What people would want to know about how it was opened. */
  remarks: readonly string[];
  read(request: AccuracyRequest, options?: ReadAccuracyOptions): Promise<ReadColumns>;
}

/** Columns while their rows come in. */
export class ColumnBuilder {
  readonly #request: AccuracyRequest;
  readonly #numbers: Float64Array[];
  readonly #codes: Uint32Array[];
  readonly #books: Map<string, number>[];
  #capacity = 1024;
  rows = 0;

  constructor(request: AccuracyRequest) {
    this.#request = request;
    this.#numbers = request.numbers.map(() => new Float64Array(this.#capacity));
    this.#codes = request.texts.map(() => new Uint32Array(this.#capacity));
    this.#books = request.texts.map(() => new Map());
  }

  /** A number of the row that is under way. */
  setNumber(column: number, value: number): void {
    this.#numbers[column]![this.rows] = value;
  }

  setText(column: number, text: string): void {
    const book = this.#books[column]!;
    let code = book.get(text);
    if (code === undefined) {
      code = book.size;
      book.set(text, code);
    }
    this.#codes[column]![this.rows] = code;
  }

  endRow(): void {
    this.rows++;
    if (this.rows < this.#capacity) return;
    this.#capacity *= 2;
    for (const [i, old] of this.#numbers.entries()) {
      this.#numbers[i] = new Float64Array(this.#capacity);
      this.#numbers[i]!.set(old);
    }
    for (const [i, old] of this.#codes.entries()) {
      this.#codes[i] = new Uint32Array(this.#capacity);
      this.#codes[i]!.set(old);
    }
  }

  finish(): ReadColumns {
    const { numbers, texts } = this.#request;
    return {
      rows: this.rows,
      numbers: new Map(numbers.map((name, i) => [name, this.#numbers[i]!.subarray(0, this.rows)])),
      texts: new Map(
        texts.map((name, i) => {
          const codes = this.#codes[i]!.subarray(0, this.rows);
          return [name, { codes, values: [...this.#books[i]!.keys()] }];
        }),
      ),
    };
  }
}

/** How tables write that there is nothing. */
const missing = new Set(["", "nan", "na", "n/a", "null", "none", "-"]);

/** A cell as a number; NaN where it says that there is none. `place` is asked for only if it is wrong. */
export function cellNumber(cell: unknown, place: () => string): number {
  if (typeof cell === "number") {
    if (Number.isFinite(cell) || Number.isNaN(cell)) return cell;
  } else if (cell === null || cell === undefined) return Number.NaN;
  else if (typeof cell === "bigint") return Number(cell);
  else if (typeof cell === "string") {
    const text = cell.trim();
    const value = Number(text);
    if (text !== "" && Number.isFinite(value)) return value;
    if (missing.has(text.toLowerCase())) return Number.NaN;
  }
  throw new CuelabError({
    kind: "input",
    what: "a cell is no number",
    where: place(),
    expected: "a number, or nothing",
    got: JSON.stringify(cell) ?? "nothing that can be written",
  });
}
