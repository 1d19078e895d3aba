/** The work done on a chunk of images, in a worker thread or in place: make or decode, digest, encode, write. */

import { readFileSync, writeFileSync } from "node:fs";
import { extname } from "node:path";
import { digestLength, pixelDigest } from "../core/content-hash.ts";
import type { Dataset, EncodedImage, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import { decodeImage, encodeImage } from "../core/images/codec.ts";
import { encodePng } from "../core/images/png.ts";
import { applySteps, type ImageStep } from "../core/images/steps.ts";
import { datasets } from "../datasets/index.ts";
import { reasonOf } from "../sources/image-folder.ts";
import type { ImageChunk, StoredEncoding } from "./format.ts";
import { decodeSide } from "./side-images.ts";

export interface ChunkTask {
  start: number;
  count: number;
  images: ImageOrigin;
  /** `none` computes digests only. */
  encoding: StoredEncoding | "none";
  /** Where each image is written, without extension, in formats of one file an image. */
  files?: readonly string[];
  sides: readonly SideTask[];
  /** Boxes to be found out along with generated images. */
  boxes: readonly string[];
}

/** Pictures that go with the images of a chunk. */
interface SideTask {
  name: string;
  shape: ImageShape;
  /** Where each lies already; without, they are made along with generated images. */
  from?: readonly string[];
  /** Where each is to be written. */
  to?: readonly string[];
}

/** Images to be made by name and index, or bytes that were read from somewhere. */
export type ImageOrigin =
  | { kind: "generated"; name: string; settings: Readonly<Record<string, unknown>>; seed: number }
  | { kind: "files"; paths: string[]; stored: ImageShape | null }
  | { kind: "encoded"; images: (EncodedImage | { error: string })[]; stored: ImageShape | null }
  | { kind: "raw"; data: Uint8Array; shape: ImageShape }
  | { kind: "changed"; from: ImageOrigin; steps: readonly ImageStep[] };

const nothing = new Uint8Array(0);

export async function processChunk(task: ChunkTask): Promise<ImageChunk> {
  const { start, count, encoding, files } = task;
  const read = await reader(task);
  const digests = new Uint8Array(digestLength * count);
  const shapes = new Uint32Array(3 * count);
  const parts: Uint8Array[] = [];
  const extensions: string[] = [];
  const broken: ImageChunk["broken"] = [];
  const sideDigests = Object.fromEntries(
    task.sides.map(({ name }) => [name, new Uint8Array(digestLength * count)]),
  );
  const boxes = Object.fromEntries(task.boxes.map((name) => [name, new Uint16Array(4 * count)]));
  for (let i = 0; i < count; i++) {
    try {
      const image = await read(i);
      const stored = await store(image, encoding);
      digests.set(pixelDigest(stored.pixels), digestLength * i);
      shapes.set([stored.pixels.height, stored.pixels.width, stored.pixels.channels], 3 * i);
      // Right after its image, while a generator still has in mind what it drew.
      for (const side of task.sides)
        sideDigests[side.name]!.set(await processSide(task, side, i), digestLength * i);
      for (const name of task.boxes) boxes[name]!.set(await boxOf(task, name, start + i), 4 * i);
      extensions.push(stored.extension);
      if (files) writeFileSync(`${files[i]}.${stored.extension}`, stored.bytes);
      parts.push(files ? nothing : stored.bytes);
    } catch (cause) {
      // A full disk is no fault of the image.
      if ((cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
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
  return { start, count, digests, bytes, ends, extensions, shapes, broken, sideDigests, boxes };
}

/** Makes or reads one side image, writes it if asked to, and returns the digest of its pixels. */
async function processSide(
  { images, start }: ChunkTask,
  { name, shape, from, to }: SideTask,
  i: number,
): Promise<Uint8Array> {
  if (from === undefined) {
    const { sideImages } = await generated(firstOrigin(images) as Generated);
    const pixels = await ownWords(() => sideImages![name]!.pixels(start + i));
    if (to) writeFileSync(to[i]!, encodePng(pixels));
    return pixelDigest(pixels);
  }
  const bytes = readStored(from[i]!);
  const pixels = await decodeSide(bytes, shape).catch((cause: unknown) => {
    throw new Error(`its ${name}: ${reasonOf(cause)}`);
  });
  if (to) writeFileSync(to[i]!, encodePng(pixels));
  return pixelDigest(pixels);
}

async function boxOf({ images }: ChunkTask, name: string, index: number): Promise<number[]> {
  const { boxes } = await generated(firstOrigin(images) as Generated);
  const box = await ownWords(() => boxes![name]!.at(index));
  return box ? [box.left, box.top, box.width, box.height] : [0, 0, 0, 0];
}

interface ReadImage {
  pixels: Pixels;
  encoded?: EncodedImage;
}

async function reader({
  images: origin,
  start,
}: Pick<ChunkTask, "images" | "start">): Promise<(i: number) => Promise<ReadImage>> {
  switch (origin.kind) {
    case "generated": {
      const { images } = await generated(origin);
      return async (i) => ({ pixels: await ownWords(() => images.pixels(start + i)) });
    }
    case "files":
      return async (i) => {
        const path = origin.paths[i]!;
        const encoded = { bytes: readStored(path), extension: extname(path).slice(1).toLowerCase() };
        return { pixels: await decodeImage(encoded.bytes, origin.stored), encoded };
      };
    case "encoded":
      return async (i) => {
        const encoded = origin.images[i]!;
        if ("error" in encoded) throw new Error(encoded.error);
        return { pixels: await decodeImage(encoded.bytes, origin.stored), encoded };
      };
    case "raw": {
      const { height, width, channels } = origin.shape;
      const size = height * width * channels;
      return async (i) => ({
        pixels: { data: origin.data.subarray(i * size, (i + 1) * size), height, width, channels },
      });
    }
    case "changed": {
      const read = await reader({ images: origin.from, start });
      return async (i) => ({ pixels: changeImage((await read(i)).pixels, origin.steps, start + i) });
    }
    default:
      return origin satisfies never;
  }
}

/** An image that cannot be made or changed as asked, for a reason that is told in full. */
class RefusedImage extends CuelabError {}

/** Where an image is composed of other files, their readers know best which of them is at fault, and what to do. */
async function ownWords<Value>(make: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await make();
  } catch (cause) {
    throw cause instanceof CuelabError ? new RefusedImage(cause.parts) : cause;
  }
}

function changeImage(image: Pixels, steps: readonly ImageStep[], index: number): Pixels {
  try {
    return applySteps(image, steps, index);
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    const { where: _, ...parts } = cause.parts;
    throw new RefusedImage(parts);
  }
}

/** What caused an error may hold anything, and is not sent between threads. */
function withoutCause(parts: ErrorParts): ErrorParts {
  const { cause: _, ...rest } = parts;
  return rest;
}

function readStored(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error((cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : String(cause));
  }
}

/** The last dataset made in this thread: a worker is asked for many chunks of one dataset. */
let latest: { key: string; dataset: Promise<Dataset> } | undefined;

/** Where images come from before any change; masks and boxes are those of the originals. */
export function firstOrigin(origin: ImageOrigin): ImageOrigin {
  return origin.kind === "changed" ? firstOrigin(origin.from) : origin;
}

type Generated = Extract<ImageOrigin, { kind: "generated" }>;

function generated({ name, settings, seed }: Generated): Promise<Dataset> {
  const key = JSON.stringify([name, settings, seed]);
  if (latest?.key !== key) latest = { key, dataset: datasets.get(name).build(settings, seed) };
  return latest.dataset;
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
