/** Where each file lies in a tar archive, found by hopping from header to header without reading what lies between. */

import type { FileHandle } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { limited, requireLimit } from "../core/limits.ts";

export interface TarEntry {
  name: string;
  offset: number;
  size: number;
}

const block = 512;
const readAhead = 2 ** 20;
/** What stands before an entry to say its long name is read whole. */
const mostNameBytes = 2 ** 20;

/** `content` fetches a small entry's bytes from the read-ahead buffer while it is at hand. */
export async function* tarEntries(
  file: FileHandle,
  path: string,
): AsyncGenerator<TarEntry & { content(): Promise<Buffer> }> {
  const window = new TarWindow(file);
  const { size: fileSize } = await file.stat();
  const damaged = (offset: number, got: string) =>
    new CuelabError({
      kind: "input",
      what: "the tar file is damaged",
      where: `${path}, byte ${offset}`,
      got,
    });
  let [offset, entries] = [0, 0];
  let longName: string | undefined;
  let longSize: number | undefined;
  for (;;) {
    if (offset + block > fileSize) throw damaged(offset, "it ends without an end mark (truncated)");
    const header = await window.read(offset, block);
    if (header.every((byte) => byte === 0)) {
      if (longName !== undefined || longSize !== undefined)
        throw damaged(offset, "the end, where the file of the name before it should be");
      return;
    }
    if (!checksumHolds(header)) throw damaged(offset, "a header whose checksum is wrong");
    entries++;
    limited("the tar file has too many entries", path, () => requireLimit("entries", entries));
    const type = String.fromCharCode(header[156]!);
    // What stands before a file to describe it has its own size.
    const size = (isDescription(type) ? undefined : longSize) ?? readSize(header);
    const start = offset + block;
    if (!(Number.isSafeInteger(size) && size >= 0)) throw damaged(offset, "an entry whose size is no number");
    if (start + size > fileSize) throw damaged(offset, "an entry that reaches beyond the end (truncated)");
    if (isDescription(type) && size > mostNameBytes) throw damaged(offset, `a name of ${size} bytes`);
    if (type === "x" || type === "g") {
      const pax = parsePax(await window.read(start, size));
      if (pax === undefined) throw damaged(offset, "records of an extended header that cannot be read");
      const unread = [...pax.keys()].find(
        (key) => key.startsWith("GNU.sparse") || (type === "g" && (key === "path" || key === "size")),
      );
      if (unread !== undefined) throw damaged(offset, `an extended header with ${unread}, which is not read`);
      longName = pax.get("path") ?? longName;
      longSize = pax.has("size") ? decimal(pax.get("size")!) : longSize;
    } else if (type === "L") {
      longName = text(await window.read(start, size));
    } else if (type !== "K") {
      const name = longName ?? joinPrefix(header);
      if (type === "S") throw damaged(offset, "a sparse file, which is not read");
      if (type === "0" || type === "\0" || type === "7") {
        yield { name, offset: start, size, content: () => window.read(start, size) };
      }
      longName = undefined;
      longSize = undefined;
    }
    offset = start + Math.ceil(size / block) * block;
  }
}

class TarWindow {
  readonly #file: FileHandle;
  #buffer: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async read(offset: number, size: number): Promise<Buffer> {
    const inside = offset >= this.#start && offset + size <= this.#start + this.#buffer.length;
    if (!inside) {
      const buffer = Buffer.alloc(Math.max(size, readAhead));
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, offset);
      this.#buffer = buffer.subarray(0, bytesRead);
      this.#start = offset;
    }
    return this.#buffer.subarray(offset - this.#start, offset - this.#start + size);
  }
}

function text(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

function joinPrefix(header: Buffer): string {
  const name = text(header.subarray(0, 100));
  const isUstar = header.toString("latin1", 257, 262) === "ustar";
  const prefix = isUstar ? text(header.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal text, or base 256 for files over 8 GB. */
function readSize(header: Buffer): number {
  if (header[124]! & 0x80)
    return header.readUInt32BE(124) === 0x80000000 ? Number(header.readBigUInt64BE(128)) : Number.NaN;
  return octal(text(header.subarray(124, 136)).trim() || "0");
}

/** Kinds of entries that describe the next one, or all. */
function isDescription(type: string): boolean {
  return ["x", "g", "L", "K"].includes(type);
}

/** NaN of what is no number in decimal digits. */
function decimal(digits: string): number {
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

/** NaN of what is no number in octal digits. */
function octal(digits: string): number {
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
}

function checksumHolds(header: Buffer): boolean {
  let sum = 8 * 32;
  for (let i = 0; i < block; i++) if (i < 148 || i >= 156) sum += header[i]!;
  return sum === octal(text(header.subarray(148, 156)).trim());
}

/** Records as POSIX has them: a length in decimal digits, a key and a value, up to a line end. Undefined of what is another. */
function parsePax(bytes: Buffer): Map<string, string> | undefined {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = space < 0 ? Number.NaN : decimal(bytes.toString("latin1", at, space));
    const end = at + length;
    if (!(end <= bytes.length && end - 1 > space && bytes[end - 1] === 10)) return undefined;
    const record = bytes.toString("utf8", space + 1, end - 1);
    const equals = record.indexOf("=");
    if (equals < 1 || record.includes("\0")) return undefined;
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
}
