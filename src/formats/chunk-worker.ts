/** The worker thread's side of `processImages`. */

import { workerData } from "node:worker_threads";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, processChunk } from "./process-chunk.ts";

adoptSharedBytes((workerData as { shared: ReadonlyMap<string, SharedArrayBuffer> }).shared);

export default function work(task: ChunkTask): Promise<ImageChunk> {
  return processChunk(task);
}
