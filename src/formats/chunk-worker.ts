/** The worker thread's side of `processImages`. */

import { workerData } from "node:worker_threads";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, type ChunkWorkerData, processChunk } from "./process-chunk.ts";

const { shared, plugins } = workerData as ChunkWorkerData;
adoptSharedBytes(shared);
await takePlugins(plugins);

export default function work(task: ChunkTask): Promise<ImageChunk> {
  return processChunk(task);
}
