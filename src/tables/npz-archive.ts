/** The arrays of a NumPy archive, ours or what `np.savez` and `np.savez_compressed` wrote, each readable from anywhere within it. */

import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { CuelabError } from "../core/errors.ts";
import { temporaryFolder } from "../disk/make-folder.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { type NpyHeader, parseNpyHeader } from "./npy.ts";

/** An array whose numbers can be read from anywhere within it. */
export interface StoredArray extends NpyHeader {
  name: string;
  file: FileHandle;
  /** Where its numbers start in `file`. */
  dataStart: number;
  bytes: number;
}

/** An array that cannot be read, which matters only if it is needed. */
export interface UnreadableArray {
  name: string;
  failure: CuelabError;
}

export interface NpzArchive {
  arrays: StoredArray[];
  unreadable: UnreadableArray[];
  close: () => Promise<void>;
}

/** Whoever opens it closes it. */
export async function openArrays(path: string): Promise<NpzArchive> {
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
      got: (cause as Error).message.split("\n")[0]!,
      cause,
    });
  }
}

/** Bytes of an array, from a place within it on. */
export async function readWithin(
  { file, dataStart }: StoredArray,
  start: number,
  length: number,
  where: string,
): Promise<Buffer> {
  return readExactly(file, dataStart + start, length, where);
}

/** A shape as Python writes it. */
export function tuple(shape: readonly number[]): string {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
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
  await writeWhole(path, await zip.openReadStreamPromise(entry), { overwrite: false });
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
