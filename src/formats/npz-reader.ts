/** Reads NumPy archives of images and labels: ours, or what `np.savez` and `np.savez_compressed` wrote. */

import { createWriteStream, mkdtempSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { ImageSet, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { Column } from "./columns.ts";
import type { StoredDataset } from "./format.ts";
import type { Manifest } from "./manifest.ts";
import { type NpyHeader, npyValues, parseNpyHeader } from "./npy.ts";

/** An array whose numbers can be read from anywhere within it. */
interface StoredArray extends NpyHeader {
  name: string;
  file: FileHandle;
  /** Where its numbers start in `file`. */
  dataStart: number;
  bytes: number;
}

export async function openNpz(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const { arrays, close } = await openArrays(path);
  try {
    const stack = pick(arrays, ["images", "image", "x", "X"], path, "images");
    const labels = pick(arrays, ["labels", "label", "y", "Y"], path, "labels");
    const shape = shapeOf(stack, path);
    const images = new StackedImages(path, stack, shape, close);
    const columns = new Map<string, Column>();
    for (const array of arrays) {
      if (array === stack || array.shape[0] !== images.count || array.shape.length !== 1) continue;
      columns.set(array.name, await readColumn(array, path));
    }
    if (manifest) checkShape(shape, manifest.image, path);
    return { images, columns, labelColumn: labels.name, table: path };
  } catch (cause) {
    await close();
    throw cause;
  }
}

class StackedImages implements ImageSet {
  readonly count: number;
  readonly shape: ImageShape;
  readonly close: () => Promise<void>;
  readonly #path: string;
  readonly #stack: StoredArray;

  constructor(path: string, stack: StoredArray, shape: ImageShape, close: () => Promise<void>) {
    this.#path = path;
    this.#stack = stack;
    this.count = stack.shape[0]!;
    this.shape = shape;
    this.close = close;
  }

  describe(index: number): string {
    return `${this.#path}, image ${index}`;
  }

  async pixels(index: number): Promise<Pixels> {
    return { data: await this.rawPixels(index, 1), ...this.shape };
  }

  async rawPixels(start: number, count: number): Promise<Uint8Array> {
    const { height, width, channels } = this.shape;
    const size = height * width * channels;
    return readExactly(
      this.#stack.file,
      this.#stack.dataStart + start * size,
      count * size,
      this.describe(start),
    );
  }
}

async function openArrays(path: string): Promise<{ arrays: StoredArray[]; close: () => Promise<void> }> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    const zip = await openPromise(path, { autoClose: false });
    closers.push(async () => zip.close());
    const file = await open(path);
    closers.push(() => file.close());
    const arrays: StoredArray[] = [];
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(".npy")) continue;
      arrays.push(
        entry.compressionMethod === 0
          ? await storedArray(zip, entry, file)
          : await unpackedArray(zip, entry, closers),
      );
    }
    return { arrays, close };
  } catch (cause) {
    await close();
    if (cause instanceof CuelabError) throw cause;
    throw new CuelabError({
      kind: "input",
      what: "cannot read the npz file",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
}

async function storedArray(zip: ZipFile, entry: Entry, file: FileHandle): Promise<StoredArray> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return arrayAt(file, entry, fileDataStart);
}

/** Compressed arrays have no place to jump to; they are unpacked to a temporary file first. */
async function unpackedArray(
  zip: ZipFile,
  entry: Entry,
  closers: (() => Promise<void>)[],
): Promise<StoredArray> {
  const folder = mkdtempSync(join(tmpdir(), "cuelab-npz-"));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "array.npy");
  await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
  const file = await open(path);
  closers.push(() => file.close());
  return arrayAt(file, entry, 0);
}

async function arrayAt(file: FileHandle, entry: Entry, start: number): Promise<StoredArray> {
  const length = Math.min(4096, entry.uncompressedSize);
  const head = await readExactly(file, start, length, entry.fileName);
  const header = parseNpyHeader(head, entry.fileName);
  return {
    ...header,
    name: entry.fileName.slice(0, -".npy".length),
    file,
    dataStart: start + header.headerLength,
    bytes: entry.uncompressedSize - header.headerLength,
  };
}

async function readExactly(file: FileHandle, start: number, length: number, where: string): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, start);
  if (bytesRead === length) return bytes;
  throw new CuelabError({
    kind: "input",
    what: "the file ends too early",
    where,
    expected: `${length} bytes at ${start}`,
    got: `${bytesRead} bytes`,
  });
}

async function readColumn(array: StoredArray, path: string): Promise<Column> {
  const where = `${path}, array ${array.name}`;
  const column = new Column(array.name);
  for (const value of npyValues(
    await readExactly(array.file, array.dataStart, array.bytes, where),
    array.dtype,
    where,
  )) {
    column.push(value);
  }
  return column;
}

function pick(arrays: StoredArray[], names: string[], path: string, what: string): StoredArray {
  const found = names
    .map((name) => arrays.find((array) => array.name === name))
    .find((array) => array !== undefined);
  if (found) return found;
  throw new CuelabError({
    kind: "input",
    what: `the npz has no array of ${what}`,
    where: path,
    expected: `an array named ${names.join(", ")}`,
    got: `arrays ${arrays.map(({ name }) => name).join(", ")}`,
  });
}

function shapeOf({ dtype, shape, bytes, name }: StoredArray, path: string): ImageShape {
  const [count, height, width, channels = 1] = shape as [number, number, number, number?];
  const fits = dtype === "|u1" && (shape.length === 3 || shape.length === 4) && channels <= 3;
  if (fits && bytes === count * height * width * channels) return { height, width, channels };
  throw new CuelabError({
    kind: "input",
    what: `the array "${name}" does not hold images`,
    where: path,
    expected:
      "uint8 of shape (count, height, width) or (count, height, width, channels), with at most 3 channels",
    got: `${dtype} of shape (${shape.join(", ")}), ${bytes} bytes`,
    todo: "channels first? images.transpose(0, 2, 3, 1) in NumPy",
  });
}

function checkShape(found: ImageShape, declared: ImageShape | null, path: string): void {
  if (JSON.stringify(Object.values(found)) === JSON.stringify(declared && Object.values(declared))) return;
  throw new CuelabError({
    kind: "input",
    what: "the images have another size than dataset.json says",
    where: path,
    expected: JSON.stringify(declared),
    got: JSON.stringify(found),
  });
}
