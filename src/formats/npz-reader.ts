/** Reads NumPy archives of images and labels: ours, or what `np.savez` and `np.savez_compressed` wrote. */

import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import type { ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { temporaryFolder } from "../disk/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { ownColumn, ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { type NpyHeader, npyValues, parseNpyHeader } from "../tables/npy.ts";
import type { Manifest } from "./manifest.ts";

/** An array whose numbers can be read from anywhere within it. */
interface StoredArray extends NpyHeader {
  name: string;
  file: FileHandle;
  /** Where its numbers start in `file`. */
  dataStart: number;
  bytes: number;
}

/** An array that cannot be read, which matters only if it is needed. */
interface UnreadableArray {
  name: string;
  failure: CuelabError;
}

export async function openNpz(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const { arrays, unreadable, close } = await openArrays(path);
  try {
    const found = { arrays, unreadable };
    const stack = pick(found, ["images", "image", "x", "X"], path, "images");
    const labels = pick(found, ["labels", "label", "y", "Y"], path, "labels");
    const shape = shapeOf(stack, path);
    const images = new StackedImages(path, stack, shape, close);
    checkLabels(labels, images.count, path);
    const columns = new Map([[labels.name, await readColumn(labels, path)]]);
    const ignoredColumns = unreadable.map(({ name, failure }) => ({ name, reason: reasonOf(failure) }));
    for (const array of arrays) {
      if (array === stack || array === labels) continue;
      const column = await readExtra(array, images.count, path);
      if (column instanceof ReadColumn) columns.set(array.name, column);
      else ignoredColumns.push({ name: array.name, reason: column.reason });
    }
    if (manifest) checkShape(shape, manifest.image, path);
    return { images, columns, labelColumn: labels.name, table: path, ignoredColumns };
  } catch (cause) {
    await close();
    throw cause;
  }
}

class StackedImages implements StoredImages {
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

async function openArrays(
  path: string,
): Promise<{ arrays: StoredArray[]; unreadable: UnreadableArray[]; close: () => Promise<void> }> {
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
    const unreadable: UnreadableArray[] = [];
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(".npy")) continue;
      try {
        arrays.push(
          entry.compressionMethod === 0
            ? await storedArray(zip, entry, file)
            : await unpackedArray(zip, entry, closers),
        );
      } catch (failure) {
        if (!(failure instanceof CuelabError)) throw failure;
        unreadable.push({ name: nameOf(entry), failure });
      }
    }
    return { arrays, unreadable, close };
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
  const folder = await temporaryFolder("npz");
  closers.push(folder.remove);
  const path = join(folder.path, "array.npy");
  const unpacked = await zip.openReadStreamPromise(entry);
  await writeWhole(path, (file) => pipeline(unpacked, file.createWriteStream({ autoClose: false })), {
    overwrite: false,
  });
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
    name: nameOf(entry),
    file,
    dataStart: start + header.headerLength,
    bytes: entry.uncompressedSize - header.headerLength,
  };
}

function nameOf({ fileName }: Entry): string {
  return fileName.slice(0, -".npy".length);
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

async function readColumn(array: StoredArray, path: string): Promise<ReadColumn> {
  const where = `${path}, array ${array.name}`;
  const column = ownColumn(array.name);
  for (const value of npyValues(
    await readExactly(array.file, array.dataStart, array.bytes, where),
    array.dtype,
    where,
  )) {
    column.push(value);
  }
  return column;
}

/** Further arrays are attributes if they can be; a heat map or a list of objects is no reason to stop. */
async function readExtra(
  array: StoredArray,
  count: number,
  path: string,
): Promise<ReadColumn | { reason: string }> {
  if (array.shape.length !== 1 || array.shape[0] !== count)
    return { reason: `of shape ${tuple(array.shape)}, not (${count},)` };
  try {
    return await readColumn(array, path);
  } catch (cause) {
    return { reason: reasonOf(cause) };
  }
}

function pick(
  { arrays, unreadable }: { arrays: StoredArray[]; unreadable: UnreadableArray[] },
  names: string[],
  path: string,
  what: string,
): StoredArray {
  for (const name of names) {
    const found = arrays.find((array) => array.name === name);
    if (found) return found;
    const broken = unreadable.find((array) => array.name === name);
    if (broken) throw broken.failure;
  }
  throw new CuelabError({
    kind: "input",
    what: `the npz has no array of ${what}`,
    where: path,
    expected: `an array named ${names.join(", ")}`,
    got: `arrays ${[...arrays, ...unreadable].map(({ name }) => name).join(", ")}`,
  });
}

function shapeOf({ dtype, shape, bytes, name }: StoredArray, path: string): ImageShape {
  const [count, height, width, channels = 1] = shape as [number, number, number, number?];
  const stacked = shape.length === 3 || shape.length === 4;
  const fits = dtype === "|u1" && stacked && channels <= 3;
  if (fits && bytes === count * height * width * channels) return { height, width, channels };
  const hints = [
    ...(dtype.includes("f") ? ['floats from 0 to 1? (images * 255).astype("uint8") in NumPy'] : []),
    ...(stacked && channels > 3 ? ["channels first? images.transpose(0, 2, 3, 1) in NumPy"] : []),
  ];
  throw new CuelabError({
    kind: "input",
    what: `the array "${name}" does not hold images`,
    where: path,
    expected:
      "uint8 of shape (count, height, width) or (count, height, width, channels), with at most 3 channels",
    got: `${dtype} of shape ${tuple(shape)}, ${bytes} bytes`,
    ...(hints.length === 0 ? {} : { todo: hints.join("; ") }),
  });
}

function checkLabels({ name, shape }: StoredArray, count: number, path: string): void {
  if (shape.length === 1 && shape[0] === count) return;
  const oneHot = shape.length === 2 && shape[0] === count;
  throw new CuelabError({
    kind: "input",
    what: `the array "${name}" does not hold one label an image`,
    where: path,
    expected: `shape (${count},)`,
    got: `shape ${tuple(shape)}`,
    ...(oneHot ? { todo: `one-hot labels? ${name}.argmax(axis=1) in NumPy` } : {}),
  });
}

/** A shape as Python writes it. */
function tuple(shape: readonly number[]): string {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
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
