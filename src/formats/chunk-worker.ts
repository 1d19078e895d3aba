/** The worker thread's side of `processImages`. */

import { workerData } from "node:worker_threads";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import { type ChunkWorkerData, isLoaded } from "./chunks-in-order.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, processChunk } from "./process-chunk.ts";

const { shared, plugins, stopped } = workerData as ChunkWorkerData;
adoptSharedBytes(shared);
await takePlugins(plugins);

export default async function work(task: ChunkTask | typeof isLoaded): Promise<ImageChunk | undefined> {
  return task === isLoaded ? undefined : processChunk(task, () => Atomics.load(stopped, 0) !== 0);
}
