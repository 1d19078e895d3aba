/** Rows of a Parquet file as columns, wherever they are read: in a thread, or in place. */

import { closeSync, readSync } from "node:fs";
import type { AsyncBuffer, CompressionCodec, FileMetaData } from "hyparquet";
import { CellError } from "../core/cell-error.ts";
import { lookUp } from "../core/look-up.ts";
import { openPlainSync } from "../disk/plain-file.ts";
import { type ColumnSink, sinkFor } from "./column-sinks.ts";
import { allDecompressors, type Decompress, decompressorOf } from "./decompressors.ts";
import type { EqualRows, ToldRows } from "./equal-rows.ts";
import { ParquetColumn } from "./parquet-column.ts";
import { type ColumnPlace, PageReader, type PageScratch, type ReadBytes } from "./parquet-pages.ts";
import type { ParsedChunk, ParsedCodes } from "./parsed-chunk.ts";
import type { ColumnRequest } from "./table.ts";

/** Files of which ever new values come are read as columns. */
const mostVain = 4;

/** What a reader of some columns must know; plain data. */
export interface ParquetPart {
  path: string;
  size: number;
  /** By row group and wanted column; undefined for columns of kinds that our own reader does not know. */
  places: (ColumnPlace | undefined)[][];
  /** Rows of the file before each group. */
  starts: number[];
  /** For those. */
  metadata: FileMetaData | undefined;
}

export interface ParquetRows {
  group: number;
  /** Within the group. */
  first: number;
  last: number;
}

export class ParquetReader {
  readonly #part: ParquetPart;
  readonly #wanted: readonly ColumnRequest[];
  readonly #sinks: ColumnSink[];
  readonly #columns: ParquetColumn[];
  readonly #scratches: PageScratch[];
  #capacity = 1024;
  #group = -1;
  #row = 0;
  /** How often rows were tried to be counted in vain. */
  #vain = 0;
  readonly #decompressors = new Map<CompressionCodec, Decompress>();
  #file: number | undefined;

  constructor(part: ParquetPart, wanted: readonly ColumnRequest[], lend: boolean) {
    this.#part = part;
    this.#wanted = wanted;
    this.#sinks = wanted.map((request) => sinkFor(request, lend));
    this.#columns = this.#sinks.map((sink) => new ParquetColumn(sink));
    this.#scratches = wanted.map(() => ({ indices: new Int32Array(0) }));
  }

  /** Rows must be asked for in their order; some may be left out. */
  async read({ group, first, last }: ParquetRows): Promise<ParsedChunk> {
    const places = this.#part.places[group]!;
    await this.#load(group);
    const count = last - first;
    this.#makeRoom(count);
    let name: string | undefined;
    try {
      this.#begin(group, first);
      for (const [i, place] of places.entries()) {
        name = this.#wanted[i]!.name;
        if (place) this.#columns[i]!.read(first, last);
        else await this.#readOther(i, this.#part.starts[group]! + first, count);
      }
    } catch (error) {
      const parts = error instanceof CellError ? error.parts : { got: (error as Error).message };
      const what = error instanceof CellError ? error.message : "cannot read the Parquet file";
      for (const sink of this.#sinks) sink.take(0);
      const column = name === undefined ? {} : { column: name };
      return { rows: 0, lines: 0, columns: [], error: { what, ...column, ...parts } };
    }
    this.#row = last;
    return { rows: count, lines: 0, columns: this.#sinks.map((sink) => sink.take(count)) };
  }

  /** Counts the same rows by their values' places in dictionaries; undefined where they must be read as columns first. */
  async count({ group, first, last }: ParquetRows, equal: EqualRows): Promise<ParsedChunk | undefined> {
    if (this.#vain >= mostVain || this.#part.places[group]!.includes(undefined)) return undefined;
    await this.#load(group);
    this.#makeRoom(last - first);
    let told: ToldRows | undefined;
    try {
      this.#begin(group, first);
      for (const column of this.#columns) column.learn(first, last);
      const fresh = this.#sinks.map((sink) => (sink.as === "codes" ? sink.dictionary.freshCount : 0));
      told = equal.addKeys(last - first, fresh, (strides, keys) =>
        this.#columns.every((column, i) => column.addKeys(first, last, strides[i]!, keys)),
      );
    } catch {
      // Whoever reads them as columns finds the same, and says where.
    }
    // Pages that were turned in vain are turned again.
    [this.#group, this.#row] = told ? [group, last] : [-1, 0];
    if (told === undefined) {
      this.#vain++;
      return undefined;
    }
    const { codes, times } = told;
    const columns = this.#sinks.map((sink, i) => ({ ...(sink.take(0) as ParsedCodes), codes: codes[i]! }));
    return { rows: last - first, lines: 0, columns, times };
  }

  /** Loads what unpacks the pages of a group. */
  async #load(group: number): Promise<void> {
    this.#file ??= openPlainSync(this.#part.path);
    for (const place of this.#part.places[group]!) {
      if (place && !this.#decompressors.has(place.codec))
        this.#decompressors.set(place.codec, await decompressorOf(place.codec));
    }
  }

  #makeRoom(rows: number): void {
    if (this.#capacity >= rows) return;
    this.#capacity = rows;
    for (const sink of this.#sinks) sink.grow(rows);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #begin(group: number, row: number): void {
    if (group === this.#group && row >= this.#row) return;
    this.#group = group;
    for (const [i, place] of this.#part.places[group]!.entries()) {
      if (!place) continue;
      const decompress = lookUp(this.#decompressors, place.codec);
      this.#columns[i]!.begin(new PageReader(this.#bytes, place, decompress, this.#scratches[i]!));
    }
  }

  readonly #bytes: ReadBytes = (offset, length) => readBytes(this.#file!, offset, length);

  /** Dates, decimals, lists: by the general way, which makes a value of each cell. */
  async #readOther(column: number, start: number, count: number): Promise<void> {
    const { parquetRead } = await import("hyparquet");
    const sink = this.#sinks[column]!;
    const file: AsyncBuffer = {
      byteLength: this.#part.size,
      slice: (from, to = this.#part.size) => this.#bytes(from, to - from).buffer as ArrayBuffer,
    };
    let filled = 0;
    // Thrown where pages are handed over it would end the process.
    let failure: unknown;
    await parquetRead({
      file,
      metadata: this.#part.metadata!,
      columns: [this.#wanted[column]!.name],
      rowStart: start,
      rowEnd: start + count,
      compressors: await allDecompressors(),
      onChunk: ({ columnData, rowStart }) => {
        // Pages reach beyond the rows that were asked for.
        const from = Math.max(0, start - rowStart);
        const to = Math.min(columnData.length, start + count - rowStart);
        try {
          for (let i = from; i < to; i++, filled++) put(sink, columnData[i], rowStart + i - start);
        } catch (cause) {
          failure ??= cause;
        }
      },
    });
    if (failure !== undefined)
      throw new CellError("the Parquet file is damaged", { got: (failure as Error).message });
    if (filled !== count)
      throw new CellError("the Parquet file is damaged", { got: `${filled} values in ${count} rows` });
  }
}

/** All of them, or an error. */
export function readBytes(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, offset + done);
    if (read === 0) throw new CellError("the Parquet file is cut off");
    done += read;
  }
  return bytes;
}

function put(sink: ColumnSink, cell: unknown, row: number): void {
  if (sink.as === "numbers" && (typeof cell === "number" || typeof cell === "bigint")) {
    sink.number(Number(cell), row);
  } else sink.text(cellWords(cell), row);
}

/** As people would write it; nothing for nothing. */
function cellWords(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (typeof cell !== "object") return String(cell as string | number | bigint | boolean);
  return cell instanceof Date ? cell.toISOString() : (JSON.stringify(cell) ?? "");
}
