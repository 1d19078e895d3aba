/** Runs all images of a dataset through encoding and digesting, on several threads, in order, in bounded memory. */

import { Piscina } from "piscina";
import type { Dataset, ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { allSharedBytes } from "../core/shared-bytes.ts";
import { datasets } from "../datasets/index.ts";
import { leaveOutFirst, reasonOf } from "../sources/image-folder.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, firstOrigin, type ImageOrigin, processChunk } from "./process-chunk.ts";

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

/** Small enough that chunks in flight stay far below the size of a network's weights. */
const chunkBytes = 4 * 2 ** 20;
const chunkImages = 512;

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
  const running: Promise<ImageChunk>[] = [];
  let started = 0;
  try {
    while (started < images.count || running.length > 0) {
      signal?.throwIfAborted();
      while (started < images.count && running.length <= 2 * workers) {
        const count = Math.min(size, images.count - started);
        const chunk = prepare(dataset, started, count, options).then(run);
        // Handled when its turn comes; until then a failure must not count as unhandled.
        chunk.catch(() => {});
        running.push(chunk);
        started += count;
      }
      const chunk = await running.shift()!;
      yield options.sides ? await withStoredBoxes(dataset, chunk) : chunk;
      options.onProgress?.(chunk.start + chunk.count);
    }
  } finally {
    await Promise.allSettled(running);
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
      images.path || images.encoded
        ? canSkip
          ? "repair or remove it, or pass --skip-broken to leave such images out and list them in the provenance"
          : leaveOutFirst
        : "repair the file",
  });
}

function imagesPerChunk({ shape }: ImageSet): number {
  const bytes = shape === null ? 2 ** 18 : shape.height * shape.width * shape.channels;
  return Math.max(1, Math.min(chunkImages, Math.floor(chunkBytes / bytes)));
}

function createPool(workers: number): Piscina {
  return new Piscina({
    filename: new URL("./chunk-worker.js", import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    workerData: { shared: allSharedBytes() },
    // Garbage collection would otherwise wait until a heap of gigabytes is full. Pixels lie outside of it.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 },
  });
}

async function prepare(
  dataset: Dataset,
  start: number,
  count: number,
  { encoding, fileOf, sides, sideOf }: ProcessOptions,
): Promise<ChunkTask> {
  const images = await originOf(dataset, start, count);
  const each = (pathOf: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => pathOf(start + i));
  return {
    start,
    count,
    encoding,
    images,
    ...(fileOf ? { files: each(fileOf) } : {}),
    sides: Object.entries((sides && dataset.sideImages) || {}).map(([name, side]) => ({
      name,
      shape: side.shape,
      ...(side.path ? { from: each((index) => side.path!(index)) } : {}),
      ...(sideOf ? { to: each((index) => sideOf(name, index)) } : {}),
    })),
    boxes: firstOrigin(images).kind === "generated" && sides ? Object.keys(dataset.boxes ?? {}) : [],
  };
}

/** Boxes of images that were not generated are known here already. */
async function withStoredBoxes({ boxes = {} }: Dataset, chunk: ImageChunk): Promise<ImageChunk> {
  const known: Record<string, Uint16Array> = { ...chunk.boxes };
  for (const [name, own] of Object.entries(boxes)) {
    if (known[name] !== undefined) continue;
    const values = new Uint16Array(4 * chunk.count);
    for (let i = 0; i < chunk.count; i++) {
      const box = await own.at(chunk.start + i);
      if (box) values.set([box.left, box.top, box.width, box.height], 4 * i);
    }
    known[name] = values;
  }
  return { ...chunk, boxes: known };
}

/** Workers make generated images themselves; stored ones are read here and sent to them. */
async function originOf({ images, provenance }: Dataset, start: number, count: number): Promise<ImageOrigin> {
  if (images.changed) {
    const { from, steps } = images.changed;
    return { kind: "changed", from: await originOf(from, start, count), steps };
  }
  const { generator, settings, seed } = provenance;
  const indices = Array.from({ length: count }, (_, i) => start + i);
  if (images.path) return { kind: "files", paths: indices.map((i) => images.path!(i)), stored: images.shape };
  if (images.encoded) {
    const read = (index: number) =>
      images.encoded!(index).catch((cause: unknown) => ({ error: reasonOf(cause) }));
    return { kind: "encoded", images: await Promise.all(indices.map(read)), stored: images.shape };
  }
  if (images.shape !== null && images.rawPixels) {
    return { kind: "raw", data: await images.rawPixels(start, count), shape: images.shape };
  }
  if (datasets.has(generator.name)) return { kind: "generated", name: generator.name, settings, seed };
  throw new CuelabError({
    kind: "failure",
    what: `nothing knows how to make the images of "${generator.name}"`,
  });
}
