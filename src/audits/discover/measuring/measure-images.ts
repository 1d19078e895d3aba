/** Measures every property of every image once, on several threads; about two kilobytes an image are kept. */

import type { Dataset, SkippedImage } from "../../../core/dataset.ts";
import { randomStream } from "../../../core/random.ts";
import { askedInPlace, ReadAhead, sourceOf } from "../../../formats/chunk-source.ts";
import { chunksInOrder } from "../../../formats/chunks-in-order.ts";
import { nameFacts } from "../files/name-facts.ts";
import { bagWidth, copyCells } from "../looks/small-copies.ts";
import { properties } from "../properties/index.ts";
import { type MeasuredChunk, type MeasureTask, measureChunk } from "./measure-chunk.ts";
import { type MeasuredColumn, MeasuredNames, MeasuredNumbers } from "./measured-column.ts";
import type { Removal } from "./removal.ts";

export interface MeasuredProperties {
  count: number;
  /** One a property, in the order of the list. */
  columns: readonly MeasuredColumn[];
  digests: Uint32Array;
  hashes: BigUint64Array;
  mirroredHashes: BigUint64Array;
  light: Uint8Array;
  taken: Float64Array;
  /** Where in `colours` and `bags` an image is; -1 where it was not drawn for tiny classifiers. */
  drawn: Int32Array;
  colours: Uint8Array;
  bags: Float32Array;
  hasFiles: boolean;
  hasNames: boolean;
  /** By index. */
  broken: ReadonlyMap<number, SkippedImage>;
}

export interface MeasureOptions {
  without: readonly Removal[];
  workers: number;
  /** Images whose small copies in colour are kept. */
  drawn: Int32Array;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

export async function measureImages(dataset: Dataset, options: MeasureOptions): Promise<MeasuredProperties> {
  const { images } = dataset;
  const { count } = images;
  const { drawn, signal, onProgress, without, workers } = options;
  const kept = drawn.reduce((most, place) => Math.max(most, place + 1), 0);
  const measured = {
    count,
    columns: properties.map(({ kind }) =>
      kind === "number" ? new MeasuredNumbers(count) : new MeasuredNames(count),
    ),
    digests: new Uint32Array(count),
    hashes: new BigUint64Array(count),
    mirroredHashes: new BigUint64Array(count),
    light: new Uint8Array(count * copyCells),
    taken: new Float64Array(count),
    drawn,
    colours: new Uint8Array(3 * kept * copyCells),
    bags: new Float32Array(kept * bagWidth),
    hasFiles: false,
    hasNames: images.file !== undefined,
    broken: new Map<number, SkippedImage>(),
  };
  const chunks = chunksInOrder<MeasureTask, MeasuredChunk>(images, {
    worker: new URL("./measure-worker.js", import.meta.url),
    workers,
    signal,
    prepare: (start, many, inPlace) => prepare(dataset, start, many, without, inPlace),
    process: measureChunk,
  });
  for await (const chunk of chunks) {
    keep(measured, chunk);
    for (const { index, reason } of chunk.broken)
      measured.broken.set(index, { image: images.describe(index), reason });
    onProgress?.(chunk.start + chunk.count);
  }
  return measured;
}

function keep(measured: MeasuredProperties, chunk: MeasuredChunk): void {
  const { start, count } = chunk;
  for (const [p, column] of measured.columns.entries()) column.set(start, chunk.values[p]!);
  measured.digests.set(chunk.digests, start);
  measured.hashes.set(chunk.hashes, start);
  measured.mirroredHashes.set(chunk.mirroredHashes, start);
  measured.light.set(chunk.light, start * copyCells);
  measured.taken.set(chunk.taken, start);
  for (let i = 0; i < count; i++) {
    const place = measured.drawn[start + i]!;
    if (place < 0) continue;
    measured.colours.set(
      chunk.colours.subarray(3 * i * copyCells, 3 * (i + 1) * copyCells),
      3 * place * copyCells,
    );
    measured.bags.set(chunk.bags.subarray(i * bagWidth, (i + 1) * bagWidth), place * bagWidth);
  }
  if (chunk.hasFiles) measured.hasFiles = true;
}

/** Which of some images tiny classifiers are to see: as many as are wanted, drawn at random. */
export function drawImages(count: number, from: readonly number[], most: number): Int32Array {
  const drawn = new Int32Array(count).fill(-1);
  const order = randomStream(0, "discover/drawn").at(0).permutation(from.length);
  const some = from.length <= most ? from : Array.from(order.subarray(0, most), (i) => from[i]!);
  for (const [place, index] of some.entries()) drawn[index] = place;
  return drawn;
}

async function prepare(
  dataset: Dataset,
  start: number,
  count: number,
  without: readonly Removal[],
  inPlace: boolean,
): Promise<MeasureTask> {
  const { images, labels, classNames, splits } = dataset;
  const indices = Uint32Array.from({ length: count }, (_, i) => start + i);
  const ahead = new ReadAhead();
  const source = await sourceOf(images, indices, inPlace ? askedInPlace : ahead.here);
  await ahead.read(count);
  const names = Array.from(indices, (index) => {
    const file = images.file?.(index);
    if (file === undefined) return undefined;
    const [className, splitName] = [classNames[labels[index]!]!, splits.names[splits.values[index]!]!];
    return nameFacts(file, { className, splitName });
  });
  return { start, count, images: source, names, without };
}
