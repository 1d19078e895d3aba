/** Some columns of a large CSV file: one pass over its bytes, which makes texts only of the cells that are asked for. */

import { createReadStream } from "node:fs";
import { CuelabError } from "../../core/errors.ts";
import { readCsv } from "../csv.ts";
import {
  type AccuracyTable,
  ColumnBuilder,
  type ColumnRequest,
  cellNumber,
  type ReadColumns,
  type ReadOptions,
} from "./column-table.ts";
import { decimal } from "./decimal.ts";

const [quote, comma, newline, carriageReturn, space, tab] = [0x22, 0x2c, 0x0a, 0x0d, 0x20, 0x09];
const chunkBytes = 1 << 20;
/** A cell longer than this is one whose closing quote is missing. */
const mostRecordBytes = 1 << 26;

export async function openCsvColumns(path: string): Promise<AccuracyTable> {
  let columns: string[] = [];
  // The common reader has the errors for files that are missing, empty or have two columns of one name.
  for await (const _ of readCsv(path, (names) => {
    columns = names;
  }))
    break;
  return { path, columns, remarks: [], read: (request, options) => read(path, columns, request, options) };
}

async function read(
  path: string,
  columns: readonly string[],
  request: ColumnRequest,
  { signal, onRows }: ReadOptions = {},
): Promise<ReadColumns> {
  const builder = new ColumnBuilder(request);
  const scanner = new RecordScanner(path, columns, request, builder);
  const file = createReadStream(path, { highWaterMark: chunkBytes });
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      scanner.push(chunk);
      onRows?.(builder.rows);
    }
  } finally {
    file.destroy();
  }
  scanner.end();
  return builder.finish();
}

/** Splits bytes into records and cells as RFC 4180 has it, with spaces around cells ignored. */
export class RecordScanner {
  readonly #path: string;
  readonly #columns: number;
  /** By place in the record: 0 for a column that nobody wants, n for number n - 1, -n for text n - 1. */
  readonly #roles: Int32Array;
  readonly #names: readonly string[];
  readonly #builder: ColumnBuilder;
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;
  #headerRead = false;

  constructor(path: string, columns: readonly string[], request: ColumnRequest, builder: ColumnBuilder) {
    this.#path = path;
    this.#columns = columns.length;
    this.#names = columns;
    this.#roles = new Int32Array(columns.length);
    for (const [i, name] of request.numbers.entries()) this.#roles[columns.indexOf(name)] = i + 1;
    for (const [i, name] of request.texts.entries()) this.#roles[columns.indexOf(name)] = -i - 1;
    this.#builder = builder;
  }

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    while (start < bytes.length) {
      const next = this.#record(bytes, start);
      if (next === undefined) break;
      start = next;
    }
    this.#rest = bytes.subarray(start);
    if (this.#rest.length > mostRecordBytes) throw this.#wrong("a quoted cell does not end");
  }

  end(): void {
    if (this.#rest.length === 0) return;
    this.push(Buffer.from("\n"));
    if (this.#rest.length > 0) throw this.#wrong("a quoted cell does not end");
  }

  /** Takes in the record that begins here; where the next begins, or undefined if its end has not come yet. */
  #record(bytes: Buffer, start: number): number | undefined {
    let at = start;
    let column = 0;
    let lines = 0;
    for (;;) {
      while (bytes[at] === space || bytes[at] === tab) at++;
      let first = at;
      let last = at;
      let doubled = false;
      const quoted = bytes[at] === quote;
      if (quoted) {
        first = ++at;
        for (; ; at++) {
          if (at >= bytes.length) return undefined;
          if (bytes[at] === newline) lines++;
          if (bytes[at] !== quote) continue;
          if (at + 1 >= bytes.length) return undefined;
          if (bytes[at + 1] !== quote) break;
          doubled = true;
          at++;
        }
        last = at++;
        while (bytes[at] === space || bytes[at] === tab || bytes[at] === carriageReturn) at++;
        if (at >= bytes.length) return undefined;
        if (bytes[at] !== comma && bytes[at] !== newline) {
          throw this.#wrong("text follows a closing quote");
        }
      } else {
        while (at < bytes.length && bytes[at] !== comma && bytes[at] !== newline) at++;
        if (at >= bytes.length) return undefined;
        last = at;
        while (last > first && isSpace(bytes[last - 1]!)) last--;
      }
      const ends = bytes[at] === newline;
      const blank = ends && column === 0 && first === last && !quoted;
      if (!blank) this.#cell(bytes, column, first, last, doubled);
      column++;
      at++;
      if (!ends) continue;
      this.#endRecord(blank ? 0 : column);
      this.#line += lines + 1;
      return at;
    }
  }

  #cell(bytes: Buffer, column: number, first: number, last: number, doubled: boolean): void {
    const role = this.#headerRead ? this.#roles[column] : 0;
    if (role === undefined || role === 0) return;
    if (role > 0) {
      const fast = decimal(bytes, first, last);
      const value = Number.isNaN(fast)
        ? cellNumber(
            bytes.toString("latin1", first, last),
            () => `${this.#place()}, column ${this.#names[column]}`,
          )
        : fast;
      this.#builder.setNumber(role - 1, value);
    } else {
      const text = bytes.toString("utf8", first, last);
      this.#builder.setText(-role - 1, doubled ? text.replaceAll('""', '"') : text);
    }
  }

  #endRecord(cells: number): void {
    if (cells === 0) return;
    if (cells !== this.#columns) {
      throw this.#wrong(`${cells} values`, `${this.#columns} values, as in the header`);
    }
    if (this.#headerRead) this.#builder.endRow();
    this.#headerRead = true;
  }

  #place(): string {
    return `${this.#path}, line ${this.#line}`;
  }

  #wrong(got: string, expected?: string): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "the table cannot be read",
      where: this.#place(),
      ...(expected === undefined ? {} : { expected }),
      got,
    });
  }
}

function isSpace(byte: number): boolean {
  return byte === space || byte === tab || byte === carriageReturn;
}
