/** Writes a file that is there whole or not at all, and never over another unless that is wanted. */

import type { Stats } from "node:fs";
import { type FileHandle, link, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { alreadyThere, diskError } from "./disk-error.ts";
import { makeFolder } from "./make-folder.ts";
import { clearLeftovers, partialName } from "./partial-name.ts";
import { syncPath } from "./sync.ts";
import { beginUnfinished, endUnfinished } from "./unfinished.ts";

/** All of it, a stream of it, or what writes it piece by piece. */
type Content = string | Uint8Array | Readable | ((file: FileHandle) => Promise<void>);

interface WholeOptions {
  /** Whether it may take the place of a file that is there. If not, whatever appears meanwhile stays, too. */
  overwrite: boolean;
  /** On the disk, not only in the system's memory, once this is done: the file and its name. So it is unless this is false. */
  durable?: boolean;
  /** The last thing before it gets its name: throws where it must not any more, such as behind a lost lock. */
  confirm?: (() => Promise<void>) | undefined;
}

/** Under another name beside it first; the last step is one that the system does wholly or not. */
export async function writeWhole(
  path: string,
  content: Content,
  { overwrite, durable = true, confirm }: WholeOptions,
): Promise<void> {
  let partial: string | undefined;
  try {
    const there = await entryAt(path);
    // Terminals and pipes keep nothing that could be lost.
    if (there !== undefined && !there.isFile() && !there.isDirectory()) return await fill(path, "w", content);
    if (there !== undefined && !overwrite) await refuse(path, there);
    // Where the name is a link, the file behind it is meant.
    const target = there === undefined ? path : await realpath(path);
    await makeFolder(dirname(target));
    await clearLeftovers(dirname(target));
    partial = partialName(target);
    beginUnfinished(partial);
    // What takes the place of another file is open to the same people.
    await fill(partial, "wx", content, durable, there && there.mode & 0o777);
    await confirm?.();
    if (overwrite) await rename(partial, target);
    else if (!(await placeNew(partial, target))) throw alreadyThere(path, { meanwhile: true });
    endUnfinished(partial);
    partial = undefined;
    if (durable) await syncPath(dirname(target));
  } catch (cause) {
    // Where nothing could be written there may be nothing to remove, and the cause is what people need.
    if (partial !== undefined) {
      await rm(partial, { force: true }).catch(() => {});
      endUnfinished(partial);
    }
    throw diskError(cause, path);
  }
}

/** Says before the work what `writeWhole` would say after it. */
export async function checkFree(path: string, { overwrite }: WholeOptions): Promise<void> {
  const there = await entryAt(path).catch((cause: unknown) => {
    throw diskError(cause, path);
  });
  if (there?.isDirectory() === true || (there?.isFile() === true && !overwrite)) await refuse(path, there);
}

async function refuse(path: string, there: Stats): Promise<never> {
  if (!there.isDirectory()) {
    // Who was killed right after a file had its name has left the other one.
    await clearLeftovers(dirname(path)).catch(() => {});
    throw alreadyThere(path);
  }
  throw diskError(Object.assign(new Error("it is a folder"), { code: "EISDIR" }), path);
}

async function entryAt(path: string): Promise<Stats | undefined> {
  return stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw cause;
  });
}

async function fill(
  path: string,
  flags: "w" | "wx",
  content: Content,
  durable = false,
  mode?: number,
): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    if (typeof content === "function") await content(file);
    // Not by a pipeline: into a file that stays open, that never ends.
    else await writeFile(file, content);
    if (durable) await file.sync();
  } finally {
    await file.close();
  }
}

/** Some disks know no second names for a file. */
const noLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Gives a file its name unless that is taken: of several that try, one succeeds. False where it was not this one. */
export async function placeNew(partial: string, target: string, linked = link): Promise<boolean> {
  try {
    await linked(partial, target);
    await rm(partial, { force: true });
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!noLinks.has(code ?? "")) throw cause;
  }
  // An empty file that is ours holds the name until the whole one takes its place.
  if (!(await claimName(target))) return false;
  await rename(partial, target);
  return true;
}

async function claimName(target: string): Promise<boolean> {
  try {
    await (await open(target, "wx")).close();
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  }
}
