/** Runs all images of a dataset through encoding and digesting, on several threads, in order, in bounded memory. */

import { Piscina } from "piscina";
import type { Dataset, ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { allSharedBytes } from "../core/shared-bytes.ts";
import { type Asked, storedFileOf } from "../images/recipe.ts";
import { pluginsForImages } from "../plugins/at-hand.ts";
import { leaveOutFirst } from "../sources/image-folder.ts";
import { askedInPlace, ReadAhead, sourceOf } from "./chunk-source.ts";
import { chunksInOrder, imagesPerChunk } from "./chunks-in-order.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, type ChunkWorkerData, processChunk } from "./process-chunk.ts";

export interface ProcessOptions {
  encoding: ChunkTask["encoding"];
  /** Worker threads; 0 works in place. */
  workers: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of images done. */
  onProgress?: ((done: number) => void) | undefined;
  /** Where workers write each image, without extension, in formats of one file an image. */
  fileOf?: ((index: number) => string) | undefined;
  /** Whether side images and boxes are wanted too. */
  sides?: boolean | undefined;
  /** Where workers write side images. */
  sideOf?: ((name: string, index: number) => string) | undefined;
}

/** Chunks in index order. Broken images are reported in their chunk, not thrown. */
export async function* processImages(dataset: Dataset, options: ProcessOptions): AsyncGenerator<ImageChunk> {
  const { images } = dataset;
  const { workers, signal } = options;
  const size = imagesPerChunk(images);
  // No thread without work: it would still be loading when all is done, and ending it then can end the process.
  const threads = Math.min(workers, Math.ceil(images.count / size));
  const pool = threads > 0 ? createPool(threads) : undefined;
  const run = (task: ChunkTask) =>
    pool ? (pool.run(task, signal ? { signal } : {}) as Promise<ImageChunk>) : processChunk(task);
  const make = (start: number, count: number) =>
    prepare(dataset, start, count, options, pool === undefined).then(run);
  try {
    for await (const chunk of chunksInOrder(images.count, { size, workers, signal, make })) {
      yield chunk;
      options.onProgress?.(chunk.start + chunk.count);
    }
  } finally {
    await pool?.destroy();
  }
}

/** Throws for the first broken image of a chunk. */
export function refuseBroken(chunk: ImageChunk, images: ImageSet, { canSkip = true } = {}): void {
  const [first] = chunk.broken;
  if (first === undefined) return;
  const where = images.describe(first.index);
  if (first.refused) {
    // The part at fault first, where the image's own name does not tell it already.
    const part = first.refused.where;
    const told = part === undefined || where.includes(part);
    throw new CuelabError({ ...first.refused, where: told ? where : `${part}, for ${where}` });
  }
  throw new CuelabError({
    kind: "input",
    what: "an image cannot be read",
    where,
    got: first.reason,
    todo:
      storedFileOf(images) !== undefined
        ? canSkip
          ? "repair or remove it, or pass --skip-broken to leave such images out and list them in the provenance"
          : leaveOutFirst
        : "repair the file",
  });
}

function createPool(workers: number): Piscina {
  return new Piscina({
    filename: new URL("./chunk-worker.js", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: { shared: allSharedBytes(), plugins: pluginsForImages() } satisfies ChunkWorkerData,
    // Garbage collection would otherwise wait until a heap of gigabytes is full. Pixels lie outside of it.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
  });
}

async function prepare(
  dataset: Dataset,
  start: number,
  count: number,
  { encoding, fileOf, sides, sideOf }: ProcessOptions,
  inPlace: boolean,
): Promise<ChunkTask> {
  const indices = Uint32Array.from({ length: count }, (_, i) => start + i);
  const each = (pathOf: (index: number) => string) => Array.from(indices, (index) => pathOf(index));
  const ahead = new ReadAhead();
  const source = (asked: Asked) => sourceOf(asked, indices, inPlace ? askedInPlace : ahead.here);
  const [sideImages, boxes] = sides ? [dataset.sideImages ?? {}, dataset.boxes ?? {}] : [{}, {}];
  const task: ChunkTask = {
    start,
    count,
    encoding,
    images: await source(dataset.images),
    ...(fileOf ? { files: each(fileOf) } : {}),
    sides: await Promise.all(
      Object.entries(sideImages).map(async ([name, side]) => ({
        name,
        shape: side.shape,
        from: await source(side),
        ...(sideOf ? { to: each((index) => sideOf(name, index)) } : {}),
      })),
    ),
    boxes: await Promise.all(
      Object.entries(boxes).map(async ([name, own]) => ({ name, from: await source(own) })),
    ),
  };
  await ahead.read(count);
  return task;
}
