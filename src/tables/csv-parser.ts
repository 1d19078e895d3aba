/** Whole records of a delimited text, from bytes to columns. Texts are made only of cells that were not seen before. */

import { CellError, RecordError } from "../core/cell-error.ts";
import { type CodeSink, type ColumnSink, type NumberSink, sinkFor } from "./column-sinks.ts";
import type { CsvLayout } from "./csv-layout.ts";
import type { ChunkError, ParsedChunk } from "./parsed-chunk.ts";
import type { ColumnRequest } from "./table.ts";
import { utf8Text } from "./text-dictionary.ts";

const [quote, newline, carriageReturn, space, tab] = [0x22, 0x0a, 0x0d, 0x20, 0x09];
const [minus, dot, zero] = [0x2d, 0x2e, 0x30];
const powers = Float64Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));
/** Whole numbers of so many digits are doubles exactly. */
const exactDigits = 15;

/** What the bytes of a cell that nobody wants are used for. */
const [skipped, coded, numeric, plain] = [0, 1, 2, 3];

export class CsvParser {
  readonly #layout: CsvLayout;
  readonly #sinks: readonly ColumnSink[];
  /** By place in the record. */
  readonly #roles: Uint8Array;
  readonly #sinkAt: (ColumnSink | undefined)[];
  /** 1 for bytes that end a cell, or may: separator, line end, quote. */
  readonly #special = new Uint8Array(256);
  #capacity = 1024;
  #rowLines: Int32Array | undefined;
  #scratch = new Uint8Array(256);

  constructor(layout: CsvLayout, wanted: readonly ColumnRequest[], { lines = false, lend = false } = {}) {
    this.#layout = layout;
    this.#rowLines = lines ? new Int32Array(this.#capacity) : undefined;
    this.#sinks = wanted.map((request) => sinkFor(request, lend));
    this.#roles = new Uint8Array(layout.columns.length);
    this.#sinkAt = layout.columns.map(() => undefined);
    for (const [i, { name }] of wanted.entries()) {
      const place = wanted[i]!.place ?? layout.columns.indexOf(name);
      const sink = this.#sinks[i]!;
      this.#sinkAt[place] = sink;
      this.#roles[place] = sink.as === "codes" ? coded : sink.as === "numbers" ? numeric : plain;
    }
    for (const byte of [layout.separator, layout.newline, quote]) this.#special[byte] = 1;
    if (layout.newline === newline) this.#special[carriageReturn] = 1;
  }

  /** `bytes` begins with a record and ends with a line end. */
  parse(bytes: Uint8Array): ParsedChunk {
    const scan = new Scan(bytes);
    try {
      while (scan.at < bytes.length) this.#record(scan);
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      const name = error instanceof RecordError ? undefined : this.#layout.columns[scan.column];
      const failed: ChunkError = {
        what: error.message,
        line: scan.line,
        ...(name === undefined ? {} : { column: name }),
        ...error.parts,
      };
      for (const sink of this.#sinks) sink.take(0);
      return { rows: 0, lines: 0, columns: [], error: failed };
    }
    return {
      rows: scan.row,
      lines: scan.line,
      columns: this.#sinks.map((sink) => sink.take(scan.row)),
      ...(this.#rowLines ? { rowLines: this.#rowLines.slice(0, scan.row) } : {}),
    };
  }

  #record(scan: Scan): void {
    const { bytes, row } = scan;
    const { separator, newline: lineEnd } = this.#layout;
    const columns = this.#roles.length;
    const special = this.#special;
    if (row >= this.#capacity) {
      this.#capacity *= 2;
      for (const sink of this.#sinks) sink.grow(this.#capacity);
      if (this.#rowLines) this.#rowLines = grown(this.#rowLines, this.#capacity);
    }
    let at = scan.at;
    let column = 0;
    scan.inner = 0;
    for (;;) {
      let byte = bytes[at]!;
      while (byte === space || (byte === tab && separator !== tab)) byte = bytes[++at]!;
      const first = at;
      const role = column < columns ? this.#roles[column]! : skipped;
      let done = false;
      if (role === coded) {
        let hash = 0;
        while (special[byte] === 0) {
          hash = Math.imul(hash ^ byte, 0x01000193);
          byte = bytes[++at]!;
        }
        const end = at;
        const before = bytes[end - 1]!;
        if (byte === carriageReturn && bytes[at + 1] === lineEnd) byte = bytes[++at]!;
        // An empty line looks like an empty first cell.
        const filled = end > first ? before !== space && before !== tab : column > 0;
        if (filled && (byte === separator || byte === lineEnd)) {
          scan.column = column;
          const sink = this.#sinkAt[column] as CodeSink;
          sink.codes[row] = sink.dictionary.code(bytes, first, end, hash, row);
          done = true;
        }
      } else if (role === numeric) {
        const negative = byte === minus;
        if (negative) byte = bytes[++at]!;
        const begin = at;
        let mantissa = 0;
        let digit = byte - zero;
        while (digit >= 0 && digit <= 9) {
          mantissa = mantissa * 10 + digit;
          byte = bytes[++at]!;
          digit = byte - zero;
        }
        let digits = at - begin;
        let decimals = 0;
        if (byte === dot) {
          byte = bytes[++at]!;
          const start = at;
          digit = byte - zero;
          while (digit >= 0 && digit <= 9) {
            mantissa = mantissa * 10 + digit;
            byte = bytes[++at]!;
            digit = byte - zero;
          }
          decimals = at - start;
          digits += decimals;
        }
        const end = at;
        if (byte === carriageReturn && bytes[at + 1] === lineEnd) byte = bytes[++at]!;
        if ((byte === separator || byte === lineEnd) && digits > 0 && digits <= exactDigits) {
          const size = mantissa / powers[decimals]!;
          const sink = this.#sinkAt[column] as NumberSink;
          sink.numbers[row] = negative ? -size : size;
          if (sink.newWay(decimals > 0)) sink.pointed(row, decimals > 0, utf8Text(bytes, first, end));
          done = true;
        } else at = first;
      } else if (role === skipped) {
        while (special[byte] === 0) byte = bytes[++at]!;
        if (byte === carriageReturn && bytes[at + 1] === lineEnd) byte = bytes[++at]!;
        done = byte === separator || (byte === lineEnd && column > 0);
      }
      if (!done) at = this.#oddCell(scan, column, first);
      column++;
      if (bytes[at] === separator) {
        at++;
        continue;
      }
      scan.at = at + 1;
      this.#endRecord(scan, column);
      return;
    }
  }

  /** A cell with quotes, with spaces behind it, with a number written in another way. Returns where it ends. */
  #oddCell(scan: Scan, column: number, first: number): number {
    const { bytes } = scan;
    const { separator, newline: lineEnd } = this.#layout;
    if (bytes[first] === quote) return this.#quoted(scan, column, first + 1);
    let at = first;
    while (bytes[at] !== separator && bytes[at] !== lineEnd) {
      if (bytes[at] === quote) {
        throw new RecordError("the table cannot be read", {
          expected: 'quotes around whole cells, and "" for a quote inside',
          got: `a quote within ${JSON.stringify(utf8Text(bytes, first, at + 1))}`,
        });
      }
      at++;
    }
    let last = at;
    while (last > first && this.#isSpace(bytes[last - 1]!)) last--;
    scan.blank = column === 0 && first === last && bytes[at] === lineEnd;
    if (!scan.blank) this.#cell(scan, column, bytes, first, last);
    return at;
  }

  #quoted(scan: Scan, column: number, first: number): number {
    const { bytes } = scan;
    const { separator, newline: lineEnd } = this.#layout;
    let at = first;
    let doubled = 0;
    for (; ; at++) {
      if (at >= bytes.length)
        throw new RecordError("the table cannot be read", { got: "a quoted cell does not end" });
      if (bytes[at] === lineEnd) scan.inner++;
      if (bytes[at] !== quote) continue;
      if (bytes[at + 1] !== quote) break;
      doubled++;
      at++;
    }
    const last = at++;
    while (this.#isSpace(bytes[at]!)) at++;
    if (bytes[at] !== separator && bytes[at] !== lineEnd) {
      throw new RecordError("the table cannot be read", { got: "text follows a closing quote" });
    }
    scan.blank = false;
    if (doubled === 0) this.#cell(scan, column, bytes, first, last);
    else this.#cell(scan, column, this.#single(bytes, first, last), 0, last - first - doubled);
    return at;
  }

  /** The bytes with one quote for two. */
  #single(bytes: Uint8Array, first: number, last: number): Uint8Array {
    if (this.#scratch.length < last - first) this.#scratch = new Uint8Array(2 * (last - first));
    let to = 0;
    for (let at = first; at < last; at++) {
      this.#scratch[to++] = bytes[at]!;
      if (bytes[at] === quote) at++;
    }
    return this.#scratch;
  }

  #cell(scan: Scan, column: number, bytes: Uint8Array, first: number, last: number): void {
    const sink = this.#sinkAt[column];
    if (sink === undefined) return;
    scan.column = column;
    if (sink.as === "numbers") sink.line = scan.line;
    sink.cell(bytes, first, last, scan.row);
  }

  #endRecord(scan: Scan, cells: number): void {
    if (cells === this.#roles.length && !scan.blank) {
      if (this.#rowLines) this.#rowLines[scan.row] = scan.line;
      scan.row++;
    } else if (!scan.blank) {
      throw new RecordError("the table cannot be read", {
        expected: `${this.#roles.length} values, as in the header`,
        got: `${cells} values`,
      });
    }
    scan.blank = false;
    scan.line += scan.inner + 1;
  }

  #isSpace(byte: number): boolean {
    const { separator, newline: lineEnd } = this.#layout;
    return (
      byte === space ||
      (byte === tab && separator !== tab) ||
      (byte === carriageReturn && lineEnd !== carriageReturn)
    );
  }
}

function grown(lines: Int32Array, length: number): Int32Array {
  const larger = new Int32Array(length);
  larger.set(lines);
  return larger;
}

/** How far a part has been read. */
class Scan {
  readonly bytes: Uint8Array;
  at = 0;
  row = 0;
  /** Lines before the record that is under way, and line ends within its cells. */
  line = 0;
  inner = 0;
  column = 0;
  /** Whether the record is an empty line. */
  blank = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}
