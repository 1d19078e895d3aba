/** The thread's side of reading a table: parts of a file come in, columns go out. */

import { parentPort, workerData } from "node:worker_threads";
import type { CsvLayout } from "./csv-layout.ts";
import { CsvParser } from "./csv-parser.ts";
import type { ParquetPart } from "./parquet-part.ts";
import { buffersOf, type ParsedChunk } from "./parsed-chunk.ts";
import type { ColumnRequest } from "./table.ts";

export type WorkerSetup =
  | { kind: "csv"; layout: CsvLayout; wanted: readonly ColumnRequest[]; lines: boolean }
  | { kind: "parquet"; part: ParquetPart; wanted: readonly ColumnRequest[] };

export interface WorkerTask {
  /** Of a text: whole records. */
  bytes?: Uint8Array;
  /** Of Parquet: which rows of which group. */
  rows?: { group: number; first: number; last: number };
}

const setup = workerData as WorkerSetup;
const read = reader(setup);
// One at a time: the parts of a file are read in its order.
let last = Promise.resolve();
parentPort!.on("message", (task: WorkerTask) => {
  last = last.then(async () => {
    const chunk = await read(task);
    parentPort!.postMessage(chunk, buffersOf(chunk));
  });
});

function reader(given: WorkerSetup): (task: WorkerTask) => ParsedChunk | Promise<ParsedChunk> {
  if (given.kind === "csv") {
    const parser = new CsvParser(given.layout, given.wanted, given);
    return ({ bytes }) => parser.parse(bytes!);
  }
  const opened = import("./parquet-part.ts").then(
    ({ ParquetReader }) => new ParquetReader(given.part, given.wanted),
  );
  return async ({ rows }) => (await opened).read(rows!);
}
