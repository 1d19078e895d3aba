/** Parts of a file through readers, here or in threads, to batches in the order of the file. */

import { setImmediate } from "node:timers/promises";
import { ChunkMerger, type MergeOptions } from "./merge-chunks.ts";
import type { TableBatch } from "./table.ts";
import { TableWorkers } from "./table-workers.ts";
import { type ReaderSetup, type ReaderTask, taskReader } from "./task-reader.ts";

export interface ChunkReading extends Omit<MergeOptions, "wanted"> {
  setup: ReaderSetup;
  /** Size of the file. */
  bytes: number;
  /** Threads; 0 reads in place. */
  workers: number;
  tasks: AsyncIterable<ReaderTask> | Iterable<ReaderTask>;
  signal?: AbortSignal | undefined;
  /** Given what is to be said, once all is read. */
  onEnd?: ((remarks: string[]) => void) | undefined;
}

export async function* readChunks(reading: ChunkReading): AsyncGenerator<TableBatch> {
  const { path, line, setup } = reading;
  const merger = new ChunkMerger({ path, wanted: setup.wanted, ...(line === undefined ? {} : { line }) });
  for await (const batch of reading.workers > 0 ? inThreads(reading, merger) : inPlace(reading, merger)) {
    // Of equal rows that are told later, the texts come now.
    if (batch.count > 0 || batch.equal) yield batch;
  }
  reading.onEnd?.(merger.remarks());
}

async function* inPlace(reading: ChunkReading, merger: ChunkMerger): AsyncGenerator<TableBatch> {
  const reader = await taskReader(reading.setup);
  try {
    for await (const task of allTasks(reading, 1)) {
      yield merger.merge(await reader.read(task), 0);
      await setImmediate();
    }
  } finally {
    reader.close();
  }
}

async function* inThreads(reading: ChunkReading, merger: ChunkMerger): AsyncGenerator<TableBatch> {
  const { path, bytes, workers: count, setup, signal } = reading;
  const workers = new TableWorkers(path, bytes, count, setup);
  // Two for each thread, so that none waits for the other or for us; where nearly nothing comes back, many.
  const most = count * (setup.equalOnce && setup.kind === "parquet" ? 8 : 2);
  const running: ReturnType<TableWorkers["run"]>[] = [];
  const next = async () => {
    const { reader, chunk } = running.shift()!;
    return merger.merge(await chunk, reader);
  };
  try {
    for await (const task of allTasks(reading, count)) {
      running.push(workers.run(task));
      if (running.length === most) yield await next();
    }
    while (running.length > 0) {
      signal?.throwIfAborted();
      yield await next();
    }
  } finally {
    workers.close();
  }
}

/** Readers take turns, so that as many tasks at the end as there are readers reach every one of them. */
async function* allTasks(
  { tasks, setup, signal }: ChunkReading,
  readers: number,
): AsyncGenerator<ReaderTask> {
  for await (const task of tasks) {
    signal?.throwIfAborted();
    yield task;
  }
  if (setup.equalOnce) for (let reader = 0; reader < readers; reader++) yield {};
}
