/** A worker thread's side of `chunksInOrder`. */

import { workerData } from "node:worker_threads";
import { adoptSharedBytes } from "../core/shared-bytes.ts";
import { takePlugins } from "../plugins/at-hand.ts";
import type { PluginCode } from "../plugins/plugin-code.ts";

/** What a thread is given once, before its first chunk. */
export interface ChunkWorkerData {
  shared: ReadonlyMap<string, SharedArrayBuffer>;
  plugins: readonly PluginCode[];
  /** Not 0 once nobody wants the chunks any more. */
  stopped: Int32Array;
}

/** Instead of a chunk: for those who want to know that a thread has loaded. */
export const isLoaded = "is it loaded?";

/** The function that such a thread exports. */
export async function chunkThread<Task, Chunk>(
  process: (task: Task, stopped: () => boolean) => Promise<Chunk>,
): Promise<(task: Task | typeof isLoaded) => Promise<Chunk | undefined>> {
  const { shared, plugins, stopped } = workerData as ChunkWorkerData;
  adoptSharedBytes(shared);
  await takePlugins(plugins);
  return async (task) =>
    task === isLoaded ? undefined : process(task as Task, () => Atomics.load(stopped, 0) !== 0);
}
