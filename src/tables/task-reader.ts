/** How the parts of a file become columns, in a thread or in place. */

import type { CsvLayout } from "./csv-layout.ts";
import { EqualRows } from "./equal-rows.ts";
import type { ParquetPart } from "./parquet-part.ts";
import type { ParsedChunk } from "./parsed-chunk.ts";
import type { ColumnRequest } from "./table.ts";

/** What a reader must know; plain data. */
export type ReaderSetup = {
  wanted: readonly ColumnRequest[];
  /** Whether equal rows are counted, and told once. */
  equalOnce: boolean;
} & ({ kind: "csv"; layout: CsvLayout; lines: boolean } | { kind: "parquet"; part: ParquetPart });

/** Without either, what is left to tell of equal rows. */
export interface ReaderTask {
  /** Of a text: whole records. */
  bytes?: Uint8Array;
  /** Of Parquet: which rows of which group. */
  rows?: { group: number; first: number; last: number };
}

export interface TaskReader {
  /** Counts rows without making columns of them, where that can be done; it is then quicker. */
  count?: (task: ReaderTask, equal: EqualRows) => Promise<ParsedChunk | undefined>;
  read: (task: ReaderTask) => ParsedChunk | Promise<ParsedChunk>;
  close: () => void;
}

export async function taskReader(setup: ReaderSetup): Promise<TaskReader> {
  const reader = await (setup.kind === "csv" ? csvReader(setup) : parquetReader(setup));
  if (!setup.equalOnce) return reader;
  const equal = new EqualRows(setup.wanted.length);
  return {
    ...reader,
    read: async (task) => {
      if (!task.bytes && !task.rows) return equal.rest();
      return (await reader.count?.(task, equal)) ?? equal.add(await reader.read(task));
    },
  };
}

/** Each is loaded when it is needed: threads start sooner without the other, and commands that read no table without either. */
const readers = {
  csv: () => import("./csv-parser.ts"),
  parquet: () => import("./parquet-part.ts"),
};

export async function loadReader(kind: ReaderSetup["kind"]): Promise<void> {
  await readers[kind]();
}

async function csvReader(setup: ReaderSetup & { kind: "csv" }): Promise<TaskReader> {
  const { CsvParser } = await readers.csv();
  const parser = new CsvParser(setup.layout, setup.wanted, { lines: setup.lines, lend: setup.equalOnce });
  return { read: ({ bytes }) => parser.parse(bytes!), close: () => {} };
}

async function parquetReader({
  part,
  wanted,
  equalOnce,
}: ReaderSetup & { kind: "parquet" }): Promise<TaskReader> {
  const { ParquetReader } = await readers.parquet();
  const reader = new ParquetReader(part, wanted, equalOnce);
  return {
    read: ({ rows }) => reader.read(rows!),
    count: ({ rows }, equal) => reader.count(rows!, equal),
    close: () => reader.close(),
  };
}
