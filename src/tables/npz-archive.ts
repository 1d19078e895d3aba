/** The arrays of a NumPy archive, ours or what `np.savez` and `np.savez_compressed` wrote, each readable from anywhere within it. */

import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { CuelabError } from "../core/errors.ts";
import { requireLimit, requireUnpacked } from "../core/limits.ts";
import { temporaryFolder } from "../disk/make-folder.ts";
import { openPlain } from "../disk/plain-file.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { checkNpyLength, type NpyHeader, parseNpyHeader } from "./npy.ts";
import { checkDirectory } from "./zip-directory.ts";

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

const arrayMark = Buffer.from("\x93NUMPY", "latin1");

/** Whoever opens it closes it. */
export async function openArrays(path: string): Promise<NpzArchive> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    const file = await openPlain(path);
    closers.push(() => file.close());
    const zip = await openPromise(path, { autoClose: false });
    closers.push(async () => zip.close());
    const arrays: StoredArray[] = [];
    const unreadable: UnreadableArray[] = [];
    requireLimit("entries", zip.entryCount);
    const { size } = await file.stat();
    let [unpacked, packed] = [0, 0];
    const names = new Set<string>();
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) {
      entries.push(entry);
      packed += entry.compressedSize;
      // Each would be read as often as it is listed.
      if (packed > size) throw new Error("its files overlap: together they are longer than the archive");
      // Others end a name there.
      if (entry.fileName.includes("\0"))
        throw new Error(`a name with a zero byte, ${JSON.stringify(entry.fileName)}`);
      if (!entry.fileName.endsWith(".npy") && !(await beginsAsArray(zip, entry))) continue;
      if (names.has(nameOf(entry)))
        throw new Error(`two arrays "${nameOf(entry)}", of which others read another`);
      names.add(nameOf(entry));
      // All together: entries may share their bytes.
      if (entry.compressionMethod !== 0) unpacked += entry.uncompressedSize;
      requireUnpacked(unpacked, size);
      try {
        await checkHead(zip, entry, path);
        arrays.push(
          entry.compressionMethod === 0
            ? await storedArray(zip, entry, file, path)
            : await unpackedArray(zip, entry, closers, path),
        );
      } catch (failure) {
        if (!(failure instanceof CuelabError)) throw failure;
        unreadable.push({ name: nameOf(entry), failure });
      }
    }
    await checkDirectory(zip, file, entries);
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

/** NumPy goes by the first bytes, whatever the name ends in. */
async function beginsAsArray(zip: ZipFile, entry: Entry): Promise<boolean> {
  if (entry.uncompressedSize < arrayMark.length || entry.fileName.endsWith("/")) return false;
  const stream = await zip.openReadStreamPromise(entry);
  try {
    const parts: Buffer[] = [];
    for await (const part of stream) {
      parts.push(part as Buffer);
      const head = Buffer.concat(parts);
      if (head.length >= arrayMark.length) return head.subarray(0, arrayMark.length).equals(arrayMark);
    }
    return false;
  } finally {
    stream.destroy();
  }
}

/** What stands before the bytes names them, too; others refuse an archive where that is another name. */
async function checkHead(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  const { fileName } = await zip.readLocalFileHeaderPromise(entry);
  if (entry.fileNameRaw.equals(fileName)) return;
  throw new CuelabError({
    kind: "input",
    what: "the archive has two names for one array",
    where: path,
    expected: `${entry.fileName}, as its list says`,
    got: JSON.stringify(fileName.toString("latin1")),
  });
}

async function storedArray(zip: ZipFile, entry: Entry, file: FileHandle, path: string): Promise<StoredArray> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return arrayAt(file, entry, fileDataStart, path);
}

/** Compressed arrays have no place to jump to; they are unpacked to a temporary file first. */
async function unpackedArray(
  zip: ZipFile,
  entry: Entry,
  closers: (() => Promise<void>)[],
  path: string,
): Promise<StoredArray> {
  const folder = await temporaryFolder("npz");
  closers.push(folder.remove);
  const unpacked = join(folder.path, "array.npy");
  const copy = async (to: FileHandle) => {
    // Read from the moment it is there: a stream that fails with nobody listening ends the process.
    for await (const chunk of await zip.openReadStreamPromise(entry)) await to.appendFile(chunk as Buffer);
  };
  await writeWhole(unpacked, copy, { overwrite: false, durable: false });
  const file = await openPlain(unpacked);
  closers.push(() => file.close());
  return arrayAt(file, entry, 0, path);
}

async function arrayAt(file: FileHandle, entry: Entry, start: number, path: string): Promise<StoredArray> {
  const where = `${path}, ${entry.fileName}`;
  const { uncompressedSize } = entry;
  const head = await readExactly(file, start, Math.min(4096, uncompressedSize), where);
  const header = parseNpyHeader(head, where);
  const bytes = uncompressedSize - header.headerLength;
  checkNpyLength(header, bytes, where);
  await checkSum(file, entry, start, where);
  return { ...header, name: nameOf(entry), file, dataStart: start + header.headerLength, bytes };
}

const chunkBytes = 1 << 22;

/** Zip archives keep a sum of each file, and NumPy reads none that differs. */
async function checkSum(
  file: FileHandle,
  { crc32: expected, uncompressedSize: size }: Entry,
  start: number,
  where: string,
): Promise<void> {
  let sum = 0;
  const chunk = Buffer.alloc(Math.min(size, chunkBytes));
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, size - at), start + at);
    if (bytesRead === 0) break;
    sum = crc32(chunk.subarray(0, bytesRead), sum);
    at += bytesRead;
  }
  if (sum === expected) return;
  throw new CuelabError({
    kind: "input",
    what: "an array of the npz is damaged",
    where,
    expected: `a checksum (CRC-32) of ${hex(expected)}`,
    got: hex(sum),
    todo: "copy or download the file again",
  });
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, "0");
}

function nameOf({ fileName }: Entry): string {
  return fileName.endsWith(".npy") ? fileName.slice(0, -".npy".length) : fileName;
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
