/** A delimited text in parts that end where records end, so that each can be read by itself. */

import type { FileHandle } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import type { CsvLayout } from "./csv-layout.ts";

const quote = 0x22;
/** A record longer than this is one whose closing quote is missing, or no record of a table. */
const mostRecordBytes = 1 << 24;

/** Each part ends with a line end. The last may end within a quoted cell that is never closed, or is too long. */
export async function* csvChunks(
  path: string,
  file: FileHandle,
  { start, newline }: CsvLayout,
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for (let position = start; ; ) {
    const buffer = new Uint8Array(rest.length + chunkBytes + 1);
    buffer.set(rest);
    const { bytesRead } = await file.read(buffer, rest.length, chunkBytes, position);
    position += bytesRead;
    const length = rest.length + bytesRead;
    if (bytesRead === 0) {
      if (length === 0) return;
      buffer[length] = newline;
      yield buffer.subarray(0, length + 1);
      return;
    }
    const end = lastRecordEnd(buffer.subarray(0, length), newline);
    if (end === 0 && length > mostRecordBytes) {
      if (!buffer.includes(quote)) throw longRecord(path);
      buffer[length] = newline;
      yield buffer.subarray(0, length + 1);
      return;
    }
    rest = buffer.slice(end, length);
    if (end > 0) yield buffer.subarray(0, end);
  }
}

/**
 * Where the last whole record ends. Quotes stand around cells only, and in twos inside them, so that a line end is
 * between records where the number of quotes before it is even.
 */
function lastRecordEnd(bytes: Uint8Array, newline: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const quoted = buffer.indexOf(quote);
  if (quoted < 0) return buffer.lastIndexOf(newline) + 1;
  let inside = false;
  for (let at = quoted; at < bytes.length; at++) if (bytes[at] === quote) inside = !inside;
  for (let at = bytes.length - 1; at >= 0; at--) {
    if (bytes[at] === quote) inside = !inside;
    else if (bytes[at] === newline && !inside) return at + 1;
  }
  return 0;
}

function longRecord(path: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the table cannot be read",
    where: path,
    expected: `rows of at most ${mostRecordBytes >> 20} MB`,
    got: "a longer one, without an end of its line",
  });
}
