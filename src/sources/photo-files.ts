/** Photos as files on people's disks: read with errors that name them, and told apart by a digest of names and sizes. */

import { createHash } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { freshSharedBytes } from "../core/shared-bytes.ts";
import { readPlain, requirePlain } from "../disk/plain-file.ts";
import { decodeAsStored } from "../images/codec.ts";
import { inColour } from "../images/fit.ts";
import { reasonOf } from "./image-folder.ts";

/** Files looked at in one go, before others get their turn: a few hundredths of a second. */
const filesAtOnce = 4000;

/** A whole photo in RGB; a grey one has the same value for all three. */
export async function readPhoto(path: string): Promise<Pixels> {
  return inColour(await readPixels(path, "a photo"));
}

/** Grey or RGB, as the file has it. `what` is the thing's name in messages: `a photo`, `a mask`. */
export async function readPixels(path: string, what: string): Promise<Pixels> {
  try {
    // Boxes and masks are about pixels as they lie in the file, whatever its EXIF orientation says.
    return await decodeAsStored(await readPlain(path));
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw unreadablePhoto(path, what, cause, (cause as NodeJS.ErrnoException).code === "ENOENT");
  }
}

function unreadablePhoto(path: string, what: string, cause: unknown, missing: boolean): CuelabError {
  return new CuelabError({
    kind: "input",
    what: missing ? `${what} is missing` : `${what} cannot be read`,
    where: path,
    expected: "a whole image file",
    got: missing ? "no such file" : reasonOf(cause),
    todo: "unpack or download it again, or leave it out",
    cause,
  });
}

/**
 * SHA-256 of the names and sizes of these files, paths below `root`, and of a note on each; the bytes of photos are too
 * many to read at every start. Throws where one is missing or empty.
 */
export async function filesDigest(
  root: string,
  files: readonly string[],
  notes: readonly string[] = [],
): Promise<string> {
  const lines = files.map((file, i) => `${file} ${notes[i] ?? ""}`);
  const about = createHash("sha256").update(lines.join("\n")).digest("hex");
  const digest = await freshSharedBytes(`photo-files:${root} ${about}`, async () => {
    const hash = createHash("sha256").update(about);
    for (let start = 0; start < files.length; start += filesAtOnce) {
      for (const file of files.slice(start, start + filesAtOnce))
        hash.update(`${sizeOf(join(root, file))}\n`);
      await setImmediate();
    }
    return hash.digest();
  });
  return Buffer.from(digest).toString("hex");
}

function sizeOf(path: string): number {
  let found: Stats | undefined;
  try {
    found = statSync(path);
  } catch {
    // Said below, as for an empty file.
  }
  if (found !== undefined && found.size > 0) return found.size;
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "a photo is missing" : "a photo is empty",
    where: path,
    expected: "a whole image file",
    got: found === undefined ? "no such file" : "0 bytes",
    todo: "unpack or download it again, or leave it out",
  });
}

/** Something that takes long to find out, found out once and handed to worker threads. */
export async function sharedIndex<Index>(key: string, find: () => Promise<Index>): Promise<Index> {
  const bytes = await freshSharedBytes(key, async () => Buffer.from(JSON.stringify(await find())));
  // Text decoders refuse shared memory.
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as Index;
}

/** Throws unless a folder is there. `contents` says what should be in it. */
export async function requireFolder(folder: string, contents: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "there is no such folder" : "this is a file and no folder",
    where: folder,
    expected: `a folder with ${contents}`,
    todo: "say where you keep it; relative paths count from the present folder",
  });
}

/** The size of a photo, from the beginning of its file. */
export async function photoSize(path: string): Promise<{ width: number; height: number }> {
  try {
    const { default: sharp } = await import("sharp");
    await requirePlain(path);
    const { width, height } = await sharp(path, { limitInputPixels: false }).metadata();
    return { width, height };
  } catch (cause) {
    throw unreadablePhoto(path, "a photo", cause, (await stat(path).catch(() => undefined)) === undefined);
  }
}
