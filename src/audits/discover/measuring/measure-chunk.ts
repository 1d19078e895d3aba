/** All that is measured of some images, in a worker thread or in place. Their pixels are then forgotten. */

import { createHash } from "node:crypto";
import type { Pixels } from "../../../core/dataset.ts";
import { type ChunkSource, isOfSystem } from "../../../formats/chunk-source.ts";
import { FollowedRecipes, pictureReader } from "../../../formats/read-source.ts";
import { decodeSmall, shrunk } from "../../../images/decode-small.ts";
import { reasonOf } from "../../../sources/image-folder.ts";
import { type FileFacts, fileFacts } from "../files/file-facts.ts";
import type { NameFacts } from "../files/name-facts.ts";
import { lookAt, planesOf } from "../looks/look.ts";
import {
  bagOfPatches,
  bagWidth,
  colourCopy,
  copyCells,
  lightCopy,
  perceptualHashes,
} from "../looks/small-copies.ts";
import { properties } from "../properties/index.ts";
import { type Removal, withoutThese } from "./removal.ts";

export interface MeasureTask {
  start: number;
  count: number;
  images: ChunkSource;
  /** Of each image; undefined where it has no file of its own. */
  names: readonly (NameFacts | undefined)[];
  without: readonly Removal[];
}

export interface MeasuredChunk {
  start: number;
  count: number;
  /** Of each property: a number or text an image; null where it has none. */
  values: (number | string | null)[][];
  /** 32 bits of the digest of the pixels that are looked at: the same in whatever format they are stored. */
  digests: Uint32Array;
  hashes: BigUint64Array;
  mirroredHashes: BigUint64Array;
  /** [count, 16, 16] of brightness. */
  light: Uint8Array;
  /** [count, 3, 16, 16] of colour. */
  colours: Uint8Array;
  /** [count, bagWidth] of shuffled patches. */
  bags: Float32Array;
  /** Seconds since 1970 when each was taken, by its EXIF; NaN where it does not say. */
  taken: Float64Array;
  /** Whether any image has a file that could be looked into. */
  hasFiles: boolean;
  broken: { index: number; reason: string }[];
}

/** The longer side of the copy that is looked at. */
const lookSide = 256;

const inputs = new FollowedRecipes();

export async function measureChunk(task: MeasureTask, stopped: () => boolean): Promise<MeasuredChunk> {
  const { start, count, images, names, without } = task;
  inputs.keepFor([images]);
  // What is changed after reading, such as cut out, must be read as large as it is.
  const small = images.kind === "files" || images.kind === "encoded";
  const read = await pictureReader(images, inputs, (bytes, stored) =>
    decodeSmall(bytes, small ? lookSide : Number.POSITIVE_INFINITY, stored),
  );
  const chunk = emptyChunk(start, count);
  for (let i = 0; i < count; i++) {
    if (stopped()) throw new Error("stopped");
    try {
      const { pixels, encoded } = await read(i);
      const readFile = encoded !== undefined && !without.includes("encoding");
      const file = readFile ? await fileFacts(encoded.bytes) : undefined;
      const left = await withoutThese(shrunk(pixels, lookSide), without);
      chunk.digests[i] = digestOf(pixels.data);
      // Files of one kind have one ending.
      const given = names[i];
      const name = given && without.includes("encoding") ? { ...given, ending: "" } : given;
      measure(chunk, i, left, file, name);
    } catch (cause) {
      if (isOfSystem(cause)) throw cause;
      chunk.broken.push({ index: start + i, reason: reasonOf(cause) });
    }
  }
  return chunk;
}

function measure(
  chunk: MeasuredChunk,
  i: number,
  pixels: Pixels,
  file: FileFacts | undefined,
  name: NameFacts | undefined,
): void {
  const planes = planesOf(pixels);
  const look = lookAt(planes);
  const facts = { name, file, pixels: look };
  for (const [p, { measure: value }] of properties.entries()) chunk.values[p]![i] = value(facts) ?? null;
  const { upright, mirrored } = perceptualHashes(planes);
  chunk.hashes[i] = upright;
  chunk.mirroredHashes[i] = mirrored;
  chunk.light.set(lightCopy(planes), i * copyCells);
  chunk.colours.set(colourCopy(planes), 3 * i * copyCells);
  chunk.bags.set(bagOfPatches(planes, look.colour.hues), i * bagWidth);
  chunk.taken[i] = file?.exif?.taken?.seconds ?? Number.NaN;
  if (file !== undefined) chunk.hasFiles = true;
}

function emptyChunk(start: number, count: number): MeasuredChunk {
  return {
    start,
    count,
    values: properties.map(() => Array.from({ length: count }, () => null)),
    digests: new Uint32Array(count),
    hashes: new BigUint64Array(count),
    mirroredHashes: new BigUint64Array(count),
    light: new Uint8Array(count * copyCells),
    colours: new Uint8Array(3 * count * copyCells),
    bags: new Float32Array(count * bagWidth),
    taken: new Float64Array(count).fill(Number.NaN),
    hasFiles: false,
    broken: [],
  };
}

function digestOf(bytes: Uint8Array): number {
  return createHash("sha256").update(bytes).digest().readUInt32LE(0);
}
