/** Work on many images, some at a time on several threads, with results in order and few of them waiting. */

import type { ImageSet } from "../core/dataset.ts";

/** Small enough that chunks in flight stay far below the size of a network's weights. */
const chunkBytes = 4 * 2 ** 20;
const chunkImages = 512;

export function imagesPerChunk({ shape }: ImageSet): number {
  const bytes = shape === null ? 2 ** 18 : shape.height * shape.width * shape.channels;
  return Math.max(1, Math.min(chunkImages, Math.floor(chunkBytes / bytes)));
}

export interface ChunksOptions<Chunk> {
  /** Images of a chunk. */
  size: number;
  /** Two chunks a worker are waiting for it. */
  workers: number;
  signal?: AbortSignal | undefined;
  /** Starts the work on `count` images from `start` on. */
  make: (start: number, count: number) => Promise<Chunk>;
}

export async function* chunksInOrder<Chunk>(
  images: number,
  { size, workers, signal, make }: ChunksOptions<Chunk>,
): AsyncGenerator<Chunk> {
  const running: Promise<Chunk>[] = [];
  let started = 0;
  try {
    while (started < images || running.length > 0) {
      signal?.throwIfAborted();
      while (started < images && running.length <= 2 * workers) {
        const count = Math.min(size, images - started);
        const chunk = make(started, count);
        // Handled when its turn comes; until then a failure must not count as unhandled.
        chunk.catch(() => {});
        running.push(chunk);
        started += count;
      }
      yield await running.shift()!;
    }
  } finally {
    await Promise.allSettled(running);
  }
}
