/** A Parquet file with flat columns as a table. */

import type { ColumnChunk, FileMetaData, SchemaElement } from "hyparquet";
import { CuelabError } from "../core/errors.ts";
import { mustBe } from "../core/look-up.ts";
import { openPlain } from "../disk/plain-file.ts";
import type { ColumnPlace } from "./parquet-pages.ts";
import type { ParquetPart } from "./parquet-part.ts";
import { requireFooter } from "./parquet-shape.ts";
import { readChunks } from "./read-chunks.ts";
import { type ColumnRequest, canCount, type ReadOptions, type TableBatch, type TableFile } from "./table.ts";
import { startAhead } from "./table-threads.ts";
import { usualWorkers } from "./table-workers.ts";

/** Larger row groups are read in parts, so that memory does not depend on how the file was written. */
const chunkRows = 1 << 17;
/** Files below are read before a thread has started. */
const smallBytes = 1 << 20;
const smallUnpacked = 1 << 26;
const smallRows = 1_000_000;
/** Decompressors that never give more than they are asked for. */
const bounded = new Set(["UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP"]);
const mostFooter = 1 << 26;

export interface ParquetTable extends TableFile {
  rows: number;
  /** The file's own key-value metadata. */
  notes: ReadonlyMap<string, string>;
}

export async function openParquet(path: string): Promise<ParquetTable> {
  const { metadata, size } = await footerOf(path);
  const names = flatColumns(metadata);
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  if (inGroups !== Number(metadata.num_rows) || metadata.row_groups.some(({ num_rows }) => num_rows < 0))
    throw unreadable(path, `${metadata.num_rows} rows, of which row groups have ${inGroups}`);
  return {
    path,
    columns: names.map(({ name }) => name),
    rows: Number(metadata.num_rows),
    remarks: [],
    notes: new Map(
      (metadata.key_value_metadata ?? []).flatMap(({ key, value }) =>
        value === undefined ? [] : [[key, value] as const],
      ),
    ),
    batches: (wanted, options) => batches(path, size, metadata, names, wanted, options),
  };
}

async function* batches(
  path: string,
  size: number,
  metadata: FileMetaData,
  elements: readonly SchemaElement[],
  wanted: readonly ColumnRequest[],
  { workers, chunk = chunkRows, signal, equalOnce = false }: ReadOptions = {},
): AsyncGenerator<TableBatch> {
  const part = partOf(path, size, metadata, elements, wanted);
  yield* readChunks({
    path,
    bytes: size,
    workers: workers ?? (isSmall(size, metadata) ? 0 : usualWorkers()),
    setup: { kind: "parquet", part, wanted, equalOnce: equalOnce && canCount(wanted) },
    tasks: tasksOf(metadata, chunk),
    signal,
  });
}

function* tasksOf({ row_groups }: FileMetaData, chunk: number) {
  for (const [group, { num_rows }] of row_groups.entries()) {
    for (let first = 0; first < Number(num_rows); first += chunk) {
      yield { rows: { group, first, last: Math.min(Number(num_rows), first + chunk) } };
    }
  }
}

/** What a small file claims must be small, too. */
function isSmall(size: number, { num_rows, row_groups }: FileMetaData): boolean {
  const chunks = row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data!));
  const unpacked = chunks.reduce((sum, meta) => sum + Number(meta.total_uncompressed_size), 0);
  return (
    size < smallBytes &&
    num_rows <= smallRows &&
    unpacked <= smallUnpacked &&
    chunks.every(({ codec }) => bounded.has(codec))
  );
}

function partOf(
  path: string,
  size: number,
  metadata: FileMetaData,
  elements: readonly SchemaElement[],
  wanted: readonly ColumnRequest[],
): ParquetPart {
  let rows = 0;
  const starts = metadata.row_groups.map(({ num_rows }) => {
    rows += Number(num_rows);
    return rows - Number(num_rows);
  });
  const places = metadata.row_groups.map(({ columns, num_rows }) =>
    wanted.map(({ name }) => {
      const element = mustBe(
        elements.find((one) => one.name === name),
        name,
      );
      const chunk = columns.find(({ meta_data }) => meta_data?.path_in_schema.join(".") === name);
      const levels = Number(element.repetition_type === "OPTIONAL");
      return chunk && isPlain(element)
        ? placeOf(path, chunk, { element, levels }, Number(num_rows), size)
        : undefined;
    }),
  );
  const all = places.every((group) => group.every((place) => place !== undefined));
  return { path, size, places, starts, metadata: all ? undefined : metadata };
}

/** Where a column of a row group lies in a file of `size` bytes. */
export function placeOf(
  path: string,
  { meta_data, file_path }: ColumnChunk,
  { element, levels }: { element: SchemaElement; levels: number },
  rows: number,
  size: number,
): ColumnPlace {
  const { type, codec, dictionary_page_offset, data_page_offset, total_compressed_size, path_in_schema } =
    meta_data!;
  if (type !== element.type)
    throw unreadable(path, `column ${path_in_schema.join(".")} of ${type}, which should be ${element.type}`);
  const offset = Number(dictionary_page_offset || data_page_offset);
  const length = Number(total_compressed_size);
  if (file_path !== undefined || !(offset >= 4 && length >= 0 && offset + length <= size)) {
    throw unreadable(path, `column ${path_in_schema.join(".")} lies outside the file`);
  }
  return { type, codec, levels, offset, size: length, rows };
}

/** Whether values mean what their bytes say. Dates, decimals and the like go the general way. */
function isPlain({ type, converted_type, logical_type, repetition_type }: SchemaElement): boolean {
  if (repetition_type === "REPEATED") return false;
  const [converted, logical] = [converted_type, logical_type?.type];
  if (type === "BYTE_ARRAY") {
    return [undefined, "UTF8", "ENUM"].includes(converted) && [undefined, "STRING", "ENUM"].includes(logical);
  }
  if (type === "INT32" || type === "INT64") {
    const signed = ["INT_8", "INT_16", "INT_32", "INT_64", "UINT_8", "UINT_16"];
    const narrow = logical_type?.type === "INTEGER" && (logical_type.isSigned || logical_type.bitWidth < 32);
    return (converted === undefined || signed.includes(converted)) && (logical === undefined || narrow);
  }
  return (
    (type === "BOOLEAN" || type === "FLOAT" || type === "DOUBLE") &&
    converted === undefined &&
    logical === undefined
  );
}

/** Columns of single values, at the top. */
function flatColumns({ schema }: FileMetaData): SchemaElement[] {
  const elements: SchemaElement[] = [];
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < (schema[at]!.num_children ?? 0); child++) next = skip(next);
    return next;
  };
  for (let at = 1; at < schema.length; at = skip(at)) {
    if ((schema[at]!.num_children ?? 0) === 0) elements.push(schema[at]!);
  }
  return elements;
}

/** The file's description of itself, which stands at its end. */
export async function footerOf(path: string): Promise<{ metadata: FileMetaData; size: number }> {
  try {
    const file = await openPlain(path);
    try {
      const { size } = await file.stat();
      if (size >= smallBytes) startAhead("parquet", usualWorkers());
      // Not the whole package, which takes longer to load than a footer to read.
      const { parquetMetadata } = await import("hyparquet/src/metadata.js");
      const end = new Uint8Array(8);
      await file.read(end, 0, 8, Math.max(0, size - 8));
      const length = new DataView(end.buffer).getUint32(0, true);
      const magic = Buffer.from(end).toString("latin1", 4);
      if (magic !== "PAR1") throw new Error("it does not end as Parquet files do");
      if (length > size - 12 || length > mostFooter)
        throw new Error(`a footer of ${length} bytes in ${size}`);
      const footer = new Uint8Array(length + 8);
      await file.read(footer, 0, length + 8, size - length - 8);
      requireFooter(footer.subarray(0, length));
      const metadata = parquetMetadata(footer.buffer);
      requireWholeSchema(metadata);
      return { metadata, size };
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw unreadable(path, (cause as Error).message.split("\n")[0]!, cause);
  }
}

/** Elements say how many of those behind them are theirs; the first one has all others. */
function requireWholeSchema({ schema }: FileMetaData): void {
  let expected = 1;
  for (const [at, { num_children: children = 0 }] of schema.entries()) {
    if (expected === 0 || children < 0)
      throw new Error(`a schema of ${schema.length} elements, of which number ${at + 1} is nobody's`);
    expected += children - 1;
  }
  if (expected > 0)
    throw new Error(`a schema of ${schema.length} elements, of which ${expected} are missing`);
}

function unreadable(path: string, got: string, cause?: unknown): CuelabError {
  return new CuelabError({ kind: "input", what: "cannot read the Parquet file", where: path, got, cause });
}
