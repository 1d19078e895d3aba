/** A table as columns of consecutive rows: texts as codes into a dictionary, numbers as doubles, or plain texts. */

/** A column that is wanted, and as what. */
export interface ColumnRequest {
  name: string;
  /** Which one in the record, where the name does not tell: some tables leave names empty. */
  place?: number;
  as: "codes" | "numbers" | "texts";
  /** Of codes: how many different texts are kept apart; a column with more is `overflowed`. Else that is an error. */
  most?: number;
}

/** Texts of which many are equal. */
export interface CodedColumn {
  as: "codes";
  /** One a row; all 0 once there were too many different texts. */
  codes: Int32Array;
  /** What codes stand for, in order of appearance in the file: one list a file, which grows from batch to batch. */
  texts: readonly string[];
  /** Row, from 1, in which each text was first seen. */
  firstRows: readonly number[];
  overflowed: boolean;
}

/** A cell that stands out, with its row in the file, from 1. */
export interface OddCell {
  row: number;
  text: string;
  /** Where the file has lines. */
  line?: number | undefined;
}

export interface NumberColumn {
  as: "numbers";
  /** NaN where there is no number. */
  numbers: Float64Array;
  /** The first cell of these rows that says that there is nothing, and the first that is something else than a number. */
  missing: OddCell | undefined;
  wrong: OddCell | undefined;
}

/** Texts of which most are different, such as names of files. */
export interface TextColumn {
  as: "texts";
  texts: readonly string[];
}

export type BatchColumn = CodedColumn | NumberColumn | TextColumn;

/** Consecutive rows. */
export interface TableBatch {
  /** Number of the first row, from 1. */
  first: number;
  count: number;
  /** One an asked-for column. */
  columns: readonly BatchColumn[];
  /** Of a text, where they are asked for: the line in which each row begins. */
  lines?: Int32Array;
  /** Where equal rows came once: how many there are of each, and how many of the file were read by now. */
  equal?: { times: Uint32Array; read: number };
}

/** How a table is read; the defaults are for people's files. */
export interface ReadOptions {
  /** Threads beside this one; without any, the file is read in place. By the file's size, unless told. */
  workers?: number | undefined;
  /** Bytes, or rows of Parquet, that are read at once. Results do not depend on it. */
  chunk?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Whether batches of a text tell the line of each row. */
  lines?: boolean | undefined;
  /**
   * Of columns that are all codes: equal rows may come once, with how many there are, in any order and later than they
   * stand in the file. Texts still come in the order of the file. For those who count, who are served much faster.
   */
  equalOnce?: boolean | undefined;
}

/** A file of columns with names. */
export interface TableFile {
  path: string;
  columns: readonly string[];
  /** Rows in all, where the file tells before it is read. */
  rows?: number;
  /** What people would want to know about how it was read; complete once it has been. */
  remarks: readonly string[];
  batches(wanted: readonly ColumnRequest[], options?: ReadOptions): AsyncGenerator<TableBatch>;
}

/** Whether equal rows can come once, where that is asked for. */
export function canCount(wanted: readonly ColumnRequest[]): boolean {
  return wanted.length > 0 && wanted.every(({ as }) => as === "codes");
}

/** More different texts than this name no groups. */
export const mostTexts = 1_000_000;

/** The text of any cell of a column. */
export function textAt(column: BatchColumn, row: number): string {
  if (column.as === "numbers") return String(column.numbers[row]);
  return column.as === "codes" ? column.texts[column.codes[row]!]! : column.texts[row]!;
}

/** Texts as codes, in order of appearance. */
export class TextCoder {
  readonly texts: string[] = [];
  readonly firstRows: number[] = [];
  readonly #codes = new Map<string, number>();

  code(text: string, row: number): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.texts.length;
    this.#codes.set(text, code);
    this.texts.push(text);
    this.firstRows.push(row);
    return code;
  }

  column(codes: Int32Array): CodedColumn {
    return { as: "codes", codes, texts: this.texts, firstRows: this.firstRows, overflowed: false };
  }
}
