/** The work done on a chunk of images, in a worker thread or in place: make or decode, digest, encode, write. */

import { writeFileSync } from "node:fs";
import { digestLength, pixelDigest } from "../core/content-hash.ts";
import type { ImageShape, Pixels } from "../core/dataset.ts";
import { decodeImage, encodeImage } from "../images/codec.ts";
import { encodePng } from "../images/png.ts";
import { decodeSide } from "../layouts/side-files.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { type ChunkSource, isOfSystem, withoutCause } from "./chunk-source.ts";
import type { ImageChunk, StoredEncoding } from "./format.ts";
import { boxReader, FollowedRecipes, pictureReader, type ReadImage, RefusedImage } from "./read-source.ts";

export interface ChunkTask {
  start: number;
  count: number;
  images: ChunkSource;
  /** `none` computes digests only. */
  encoding: StoredEncoding | "none";
  /** Where each image is written, without extension, in formats of one file an image. */
  files?: readonly string[];
  sides: readonly SideTask[];
  boxes: readonly { name: string; from: ChunkSource }[];
}

/** Pictures that go with the images of a chunk. */
interface SideTask {
  name: string;
  shape: ImageShape;
  from: ChunkSource;
  /** Where each is to be written. */
  to?: readonly string[];
}

const nothing = new Uint8Array(0);

const inputs = new FollowedRecipes();

/** Ends with an error, at the next image, once it is to stop. */
export async function processChunk(task: ChunkTask, stopped: () => boolean): Promise<ImageChunk> {
  const { start, count, encoding, files } = task;
  inputs.keepFor([task.images, ...task.sides.map(({ from }) => from), ...task.boxes.map(({ from }) => from)]);
  const read = await pictureReader(task.images, inputs, decodeImage);
  const sides = await Promise.all(task.sides.map((side) => sideProcessor(side, count)));
  const boxes = await Promise.all(task.boxes.map((box) => boxCollector(box, count)));
  const digests = new Uint8Array(digestLength * count);
  const shapes = new Uint32Array(3 * count);
  const parts: Uint8Array[] = [];
  const extensions: string[] = [];
  const broken: ImageChunk["broken"] = [];
  const notes = { turned: 0, transparent: 0, recoloured: 0 };
  for (let i = 0; i < count; i++) {
    if (stopped()) throw new Error("stopped");
    try {
      const image = await read(i);
      for (const note of Object.keys(notes) as (keyof typeof notes)[]) if (image.notes?.[note]) notes[note]++;
      const stored = await store(image, encoding);
      digests.set(pixelDigest(stored.pixels), digestLength * i);
      shapes.set([stored.pixels.height, stored.pixels.width, stored.pixels.channels], 3 * i);
      // Right after its image, while a generator still has in mind what it drew.
      for (const side of sides) await side.process(i);
      for (const box of boxes) await box.add(i);
      extensions.push(stored.extension);
      if (files) writeFileSync(`${files[i]}.${stored.extension}`, stored.bytes);
      parts.push(files ? nothing : stored.bytes);
    } catch (cause) {
      if (isOfSystem(cause)) throw cause;
      const refused = cause instanceof RefusedImage && { refused: withoutCause(cause.parts) };
      broken.push({ index: start + i, reason: reasonOf(cause), ...refused });
      extensions.push("");
      parts.push(nothing);
    }
  }
  let end = 0;
  const ends = parts.map((part) => {
    end += part.length;
    return end;
  });
  const bytes = new Uint8Array(end);
  parts.forEach((part, i) => {
    bytes.set(part, ends[i]! - part.length);
  });
  const sideDigests = Object.fromEntries(sides.map(({ name, digests }) => [name, digests]));
  const places = Object.fromEntries(boxes.map(({ name, values }) => [name, values]));
  return {
    start,
    count,
    digests,
    bytes,
    ends,
    extensions,
    shapes,
    notes,
    broken,
    sideDigests,
    boxes: places,
  };
}

/** Makes or reads side images one by one, writes them if asked to, and keeps the digests of their pixels. */
async function sideProcessor({ name, shape, from, to }: SideTask, count: number) {
  const read = await pictureReader(from, inputs, (bytes) =>
    decodeSide(bytes, shape).catch((cause: unknown) => {
      throw new Error(`its ${name}: ${reasonOf(cause)}`);
    }),
  );
  const digests = new Uint8Array(digestLength * count);
  const process = async (i: number) => {
    const { pixels } = await read(i);
    if (to) writeFileSync(to[i]!, encodePng(pixels));
    digests.set(pixelDigest(pixels), digestLength * i);
  };
  return { name, digests, process };
}

async function boxCollector({ name, from }: ChunkTask["boxes"][number], count: number) {
  const read = await boxReader(from, inputs);
  const values = new Uint16Array(4 * count);
  const add = async (i: number) => {
    const box = await read(i);
    if (box) values.set([box.left, box.top, box.width, box.height], 4 * i);
  };
  return { name, values, add };
}

/** The bytes to keep, and the pixels that a reader of those bytes will see. */
async function store(
  { pixels, encoded }: ReadImage,
  encoding: ChunkTask["encoding"],
): Promise<{ bytes: Uint8Array; extension: string; pixels: Pixels }> {
  switch (encoding) {
    case "none":
      return { bytes: nothing, extension: "", pixels };
    case "raw":
      return { bytes: pixels.data, extension: "", pixels };
    case "png":
      return { ...(await encodeImage(pixels, "png")), pixels };
    case "jpeg": {
      // JPEG changes pixels; the content hash is about what comes out of the file.
      const file = await encodeImage(pixels, "jpeg");
      return { ...file, pixels: await decodeImage(file.bytes, pixels) };
    }
    case "keep":
      return encoded === undefined ? store({ pixels }, "png") : { ...encoded, pixels };
    default:
      return encoding satisfies never;
  }
}
