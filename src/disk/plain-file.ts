/** People's files are opened here alone, and plain ones only: a pipe among images would be waited for without end. */

import { createReadStream, openSync, type ReadStream, readFileSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { utf8 } from "../core/utf8.ts";
import { guarded } from "./guarded.ts";

/** Links to files are followed. */
export async function openPlain(path: string): Promise<FileHandle> {
  await requirePlain(path);
  return open(path);
}

export function openPlainSync(path: string): number {
  refuseOthers(path, statSync(path));
  return openSync(path, "r");
}

export async function readPlain(path: string): Promise<Buffer> {
  await requirePlain(path);
  return readFile(path);
}

export async function readPlainText(path: string): Promise<string> {
  return guarded(path, async () => utf8(await readPlain(path)), "the text cannot be read");
}

export function readPlainSync(path: string): Buffer {
  refuseOthers(path, statSync(path));
  return readFileSync(path);
}

export async function streamPlain(path: string, encoding?: "utf8"): Promise<ReadStream> {
  await requirePlain(path);
  return createReadStream(path, encoding);
}

/** For files that a library opens by itself. */
export async function requirePlain(path: string): Promise<void> {
  refuseOthers(path, await stat(path));
}

/** What a path leads to that is neither a file nor a folder, in words; undefined where it is one of these. */
function otherKind(
  found: Pick<Stats, "isFIFO" | "isSocket" | "isCharacterDevice" | "isBlockDevice">,
): string | undefined {
  if (found.isFIFO()) return "a pipe (FIFO)";
  if (found.isSocket()) return "a socket";
  return found.isCharacterDevice() || found.isBlockDevice() ? "a device" : undefined;
}

/** Of folders the system says itself that they cannot be read as files. */
function refuseOthers(path: string, found: Stats): void {
  const got = otherKind(found);
  if (got === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `this is ${got} and no plain file`,
    where: path,
    expected: "a file, or a link to one",
    todo: "write what it gives to a file first, and name that",
  });
}
