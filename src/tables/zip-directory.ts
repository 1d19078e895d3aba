/** The list at the end of a zip archive, which says where it is in two ways: programs that trust the one or the other must read the same. */

import type { FileHandle } from "node:fs/promises";
import type { Entry, ZipFile } from "yauzl";

const endBytes = 22;
const locatorBytes = 20;
const largeEndBytes = 56;

/** Throws unless the list lies where its end says, is as long as that says, and holds these entries and nothing else. */
export async function checkDirectory(
  zip: ZipFile,
  file: FileHandle,
  entries: readonly Entry[],
): Promise<void> {
  const { size } = await file.stat();
  const endAt = size - endBytes - zip.comment.length;
  const before = Math.min(endAt, locatorBytes + largeEndBytes);
  const bytes = Buffer.alloc(before + endBytes);
  await file.read(bytes, 0, bytes.length, endAt - before);
  const listed = entries.reduce((sum, entry) => sum + listedBytes(entry), 0);
  const place = isLarge(bytes, before)
    ? largePlace(bytes, endAt)
    : { start: bytes.readUInt32LE(before + 16), bytes: bytes.readUInt32LE(before + 12), end: endAt };
  if (place.start + place.bytes !== place.end || place.bytes !== listed)
    throw new Error("its list of files is not where, or not as long as, its end says");
}

function listedBytes(entry: Entry): number {
  return 46 + entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
}

function isLarge(bytes: Buffer, before: number): boolean {
  return before === locatorBytes + largeEndBytes && bytes.readUInt32LE(largeEndBytes) === 0x07064b50;
}

/** Zip64: the end proper has another before it, whose place stands between the two. */
function largePlace(bytes: Buffer, endAt: number): { start: number; bytes: number; end: number } {
  const end = endAt - locatorBytes - largeEndBytes;
  const isThere = Number(bytes.readBigUInt64LE(largeEndBytes + 8)) === end;
  return {
    start: Number(bytes.readBigUInt64LE(48)),
    bytes: Number(bytes.readBigUInt64LE(40)),
    end: isThere ? end : Number.NaN,
  };
}
