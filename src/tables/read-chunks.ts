/** Parts of a file through readers, here or in threads, to batches in the order of the file. */

import { setImmediate } from "node:timers/promises";
import { ChunkMerger, type MergeOptions } from "./merge-chunks.ts";
import type { ParsedChunk } from "./parsed-chunk.ts";
import type { TableBatch } from "./table.ts";
import type { WorkerSetup, WorkerTask } from "./table-worker.ts";
import { TableWorkers } from "./table-workers.ts";

export interface ChunkReading extends MergeOptions {
  setup: WorkerSetup;
  /** Size of the file. */
  bytes: number;
  /** Threads; 0 reads in place. */
  workers: number;
  tasks: AsyncIterable<WorkerTask> | Iterable<WorkerTask>;
  /** How a task is done in place. */
  inPlace: () => (task: WorkerTask) => ParsedChunk | Promise<ParsedChunk>;
  signal?: AbortSignal | undefined;
  /** Given what is to be said, once all is read. */
  onEnd?: ((remarks: string[]) => void) | undefined;
}

export async function* readChunks(reading: ChunkReading): AsyncGenerator<TableBatch> {
  const merger = new ChunkMerger(reading);
  yield* reading.workers > 0 ? inThreads(reading, merger) : inPlace(reading, merger);
  reading.onEnd?.(merger.remarks());
}

async function* inPlace(
  { tasks, inPlace: reader, signal }: ChunkReading,
  merger: ChunkMerger,
): AsyncGenerator<TableBatch> {
  const read = reader();
  for await (const task of tasks) {
    signal?.throwIfAborted();
    const batch = merger.merge(await read(task), 0);
    if (batch.count > 0) yield batch;
    await setImmediate();
  }
}

async function* inThreads(
  { path, bytes, workers: count, setup, tasks, signal }: ChunkReading,
  merger: ChunkMerger,
): AsyncGenerator<TableBatch> {
  const workers = new TableWorkers(path, bytes, count, setup);
  const running: ReturnType<TableWorkers["run"]>[] = [];
  const next = async () => {
    const { reader, chunk } = running.shift()!;
    return merger.merge(await chunk, reader);
  };
  try {
    for await (const task of tasks) {
      signal?.throwIfAborted();
      running.push(workers.run(task));
      // Two for each thread, so that none waits for the other or for us.
      if (running.length < 2 * count) continue;
      const batch = await next();
      if (batch.count > 0) yield batch;
    }
    while (running.length > 0) {
      signal?.throwIfAborted();
      const batch = await next();
      if (batch.count > 0) yield batch;
    }
  } finally {
    await workers.close();
  }
}
