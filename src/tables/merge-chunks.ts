/** Parts of a file, in its order, become batches whose codes mean the same throughout. */

import { CuelabError } from "../core/errors.ts";
import type {
  ChunkError,
  NumberWay,
  ParsedChunk,
  ParsedCodes,
  ParsedColumn,
  ParsedNumbers,
} from "./parsed-chunk.ts";
import {
  type BatchColumn,
  type ColumnRequest,
  mostTexts,
  type OddCell,
  type TableBatch,
  TextCoder,
} from "./table.ts";

/** How rows are named in messages: texts have lines, Parquet has rows only. */
export interface MergeOptions {
  path: string;
  wanted: readonly ColumnRequest[];
  /** Line of the first row, where the file has lines. */
  line?: number;
}

/**
 * A reader tells a text when it meets it for the first time, in the order of its rows, and readers take parts in the
 * order of the file. So a text that is new in a part is told with that part, whoever reads it, and codes given here in
 * that order are those of first appearance in the file, for any number of readers.
 */
export class ChunkMerger {
  readonly #path: string;
  readonly #columns: readonly MergedColumn[];
  #line: number | undefined;
  /** Rows so far. */
  rows = 0;

  constructor({ path, wanted, line }: MergeOptions) {
    this.#path = path;
    this.#line = line;
    this.#columns = wanted.map((request) => new MergedColumn(path, request));
  }

  /** The next part of the file, which was read by this reader. */
  merge(chunk: ParsedChunk, reader: number): TableBatch {
    if (chunk.error) throw this.#failed(chunk.error);
    const first = this.rows + 1;
    const line = this.#line;
    const columns = chunk.columns.map((column, i) => this.#columns[i]!.merge(column, reader, first, line));
    this.rows += chunk.rows;
    if (line !== undefined) this.#line = line + chunk.lines;
    const lines = chunk.rowLines?.map((own) => own + line!);
    const { times } = chunk;
    return {
      first,
      count: times?.length ?? chunk.rows,
      columns,
      ...(lines ? { lines } : {}),
      ...(times ? { equal: { times, read: this.rows } } : {}),
    };
  }

  /** What is to be said of columns once all is read. */
  remarks(): string[] {
    return this.#columns.flatMap((column) => column.remarks());
  }

  #failed({ what, line, row, column, ...parts }: ChunkError): CuelabError {
    const place =
      line !== undefined && this.#line !== undefined
        ? `, line ${this.#line + line}`
        : row === undefined
          ? ""
          : `, row ${this.rows + row + 1}`;
    return new CuelabError({
      kind: "input",
      what,
      where: `${this.#path}${place}${column === undefined ? "" : `, column ${column}`}`,
      ...parts,
    });
  }
}

class MergedColumn {
  readonly #path: string;
  readonly #request: ColumnRequest;
  readonly #coder = new TextCoder();
  /** By reader: from its codes to ours. */
  readonly #maps: number[][] = [];
  #overflowed = false;
  readonly #ways: Partial<Record<NumberWay, OddCell>> = {};

  constructor(path: string, request: ColumnRequest) {
    this.#path = path;
    this.#request = request;
  }

  merge(column: ParsedColumn, reader: number, first: number, line: number | undefined): BatchColumn {
    if (column.as === "codes") return this.#codes(column, reader, first);
    if (column.as === "numbers") return this.#numbers(column, first, line);
    return column;
  }

  #codes({ codes, fresh, overflowed }: ParsedCodes, reader: number, first: number): BatchColumn {
    this.#maps[reader] ??= [];
    const map = this.#maps[reader]!;
    if (overflowed) this.#overflowed = true;
    for (const { text, row } of fresh) map.push(this.#coder.code(text, first + row));
    if (this.#coder.texts.length > (this.#request.most ?? mostTexts)) this.#overflowed = true;
    if (this.#overflowed && this.#request.most === undefined) throw this.#tooMany();
    if (this.#overflowed) codes.fill(0);
    else if (!isIdentity(map)) {
      const to = Int32Array.from(map);
      for (let row = 0; row < codes.length; row++) codes[row] = to[codes[row]!]!;
    }
    return { ...this.#coder.column(codes), overflowed: this.#overflowed };
  }

  #tooMany(): CuelabError {
    return new CuelabError({
      kind: "input",
      what: `column "${this.#request.name}" has too many different values`,
      where: this.#path,
      expected: `at most ${mostTexts.toLocaleString("en")}`,
      got: "more",
    });
  }

  #numbers(
    { numbers, missing, wrong, ways }: ParsedNumbers,
    first: number,
    line: number | undefined,
  ): BatchColumn {
    const placed = (cell: OddCell | undefined) =>
      cell && {
        row: first + cell.row,
        text: cell.text,
        ...(cell.line === undefined || line === undefined ? {} : { line: line + cell.line }),
      };
    for (const way of ["point", "comma", "percent", "plain"] as const) {
      const cell = placed(ways[way]);
      if (cell) this.#ways[way] ??= cell;
    }
    const { point, comma, percent, plain } = this.#ways;
    this.#refuseMixed(point, comma, "a decimal point", "a decimal comma");
    this.#refuseMixed(plain, percent, "a plain number", "per cent");
    return { as: "numbers", numbers, missing: placed(missing), wrong: placed(wrong) };
  }

  /** 1.234 beside 0,5 may be a thousand; 0.5 beside 93 % may be half a per cent. */
  #refuseMixed(a: OddCell | undefined, b: OddCell | undefined, aName: string, bName: string): void {
    if (a === undefined || b === undefined) return;
    const [early, late] = a.row < b.row ? [a, b] : [b, a];
    const [earlyName] = a.row < b.row ? [aName] : [bName];
    throw new CuelabError({
      kind: "input",
      what: `column "${this.#request.name}" writes numbers in two ways`,
      where: `${this.#path}, row ${late.row}`,
      expected: `${earlyName}, as "${early.text}" in row ${early.row}`,
      got: `"${late.text}"`,
      todo: "write all numbers of a column in one way",
    });
  }

  remarks(): string[] {
    const { comma, percent } = this.#ways;
    const { name } = this.#request;
    const say = (what: string, { text }: OddCell, row: number) =>
      `${this.#path}: column "${name}" ${what}, such as "${text}" in row ${row}`;
    return [
      ...(comma ? [say("has decimal commas", comma, comma.row)] : []),
      ...(percent ? [say("is in per cent and was divided by 100", percent, percent.row)] : []),
    ];
  }
}

function isIdentity(map: readonly number[]): boolean {
  return map.every((to, from) => to === from);
}
