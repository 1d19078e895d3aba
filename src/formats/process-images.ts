/** Runs all images of a dataset through encoding and digesting, on several threads, in order, in bounded memory. */

import type { Dataset, ImageSet } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type Asked, storedFileOf } from "../images/recipe.ts";
import { leaveOutFirst } from "../sources/image-folder.ts";
import { askedInPlace, ReadAhead, sourceOf } from "./chunk-source.ts";
import { chunksInOrder } from "./chunks-in-order.ts";
import type { ImageChunk } from "./format.ts";
import { type ChunkTask, processChunk } from "./process-chunk.ts";

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
  const { workers, signal } = options;
  const chunks = chunksInOrder(dataset.images, {
    worker: new URL("./chunk-worker.js", import.meta.url),
    workers,
    signal,
    prepare: (start, count, inPlace) => prepare(dataset, start, count, options, inPlace),
    process: processChunk,
  });
  for await (const chunk of chunks) {
    yield chunk;
    options.onProgress?.(chunk.start + chunk.count);
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
