/** Work on many images, some at a time on several threads, with results in order and few of them waiting. */

import { Piscina } from "piscina";
import type { ImageSet } from "../core/dataset.ts";
import { allSharedBytes } from "../core/shared-bytes.ts";
import { pluginsForImages } from "../plugins/at-hand.ts";
import { type ChunkWorkerData, isLoaded } from "./chunk-thread.ts";

export interface ChunkWork<Task, Chunk> {
  /** The thread's file: its function is given a task, or `isLoaded`. */
  worker: URL;
  /** Worker threads; 0 works in place. */
  workers: number;
  signal?: AbortSignal | undefined;
  /** What is to be done with `count` images from `start` on, in this thread or in another. */
  prepare: (start: number, count: number, inPlace: boolean) => Promise<Task>;
  /** What the thread does; it ends with an error, at the next image, once it is to stop. */
  process: (task: Task, stopped: () => boolean) => Promise<Chunk>;
}

/** Small enough that chunks in flight stay far below the size of a network's weights. */
const chunkBytes = 4 * 2 ** 20;
const chunkImages = 512;

export async function* chunksInOrder<Task, Chunk>(
  images: ImageSet,
  { worker, workers, signal, prepare, process }: ChunkWork<Task, Chunk>,
): AsyncGenerator<Chunk> {
  const size = imagesPerChunk(images);
  const threads = threadsFor(images, workers);
  const pool = threads > 0 ? new ChunkPool<Task, Chunk>(worker, threads) : undefined;
  // Not even by a signal is a thread ended while it may be loading its modules: that can end the whole process.
  const stop = () => pool?.stop();
  signal?.addEventListener("abort", stop, { once: true });
  const run = (task: Task) => (pool ? pool.run(task) : process(task, () => signal?.aborted ?? false));
  const running: Promise<Chunk>[] = [];
  let started = 0;
  try {
    while (started < images.count || running.length > 0) {
      signal?.throwIfAborted();
      while (started < images.count && running.length <= 2 * workers) {
        const count = Math.min(size, images.count - started);
        const chunk = prepare(started, count, pool === undefined).then(run);
        // Handled when its turn comes; until then a failure must not count as unhandled.
        chunk.catch(() => {});
        running.push(chunk);
        started += count;
      }
      yield await running.shift()!.catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw cause;
      });
    }
  } finally {
    pool?.stop();
    await Promise.allSettled(running);
    await pool?.end();
    signal?.removeEventListener("abort", stop);
  }
}

/** No thread without work: it would still be loading when all is done, and ending it then can end the process. */
export function threadsFor(images: ImageSet, workers: number): number {
  return Math.min(workers, Math.ceil(images.count / imagesPerChunk(images)));
}

function imagesPerChunk({ shape }: ImageSet): number {
  const bytes = shape === null ? 2 ** 18 : shape.height * shape.width * shape.channels;
  return Math.max(1, Math.min(chunkImages, Math.floor(chunkBytes / bytes)));
}

/** Threads that are asked to stop, and never killed at their work. */
class ChunkPool<Task, Chunk> {
  readonly #threads: number;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #pool: Piscina;

  constructor(worker: URL, threads: number) {
    this.#threads = threads;
    this.#pool = new Piscina({
      filename: worker.href,
      minThreads: threads,
      maxThreads: threads,
      workerData: {
        shared: allSharedBytes(),
        plugins: pluginsForImages(),
        stopped: this.#stopped,
      } satisfies ChunkWorkerData,
      // Garbage collection would otherwise wait until a heap of gigabytes is full. Pixels lie outside of it.
      resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
    });
  }

  run(task: Task): Promise<Chunk> {
    return this.#pool.run(task) as Promise<Chunk>;
  }

  /** Chunks in work end with their next image. */
  stop(): void {
    Atomics.store(this.#stopped, 0, 1);
  }

  /** When nothing runs any more. A task for each shows that all have loaded. */
  async end(): Promise<void> {
    await Promise.allSettled(Array.from({ length: this.#threads }, () => this.#pool.run(isLoaded)));
    await this.#pool.destroy();
  }
}
