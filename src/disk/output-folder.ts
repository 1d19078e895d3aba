/** A folder that appears whole or not at all: filled under another name, then renamed. */

import { mkdir, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { isAlive } from "./process-alive.ts";

/** What a folder is filled with; with `force`, it may take the place of its like. */
export interface FolderContent {
  name: string;
  already: string;
  isIn: (folder: string) => Promise<boolean>;
}

export class OutputFolder {
  /** Where to write until `commit`. */
  readonly path: string;
  readonly #target: string;

  private constructor(target: string, path: string) {
    this.#target = target;
    this.path = path;
  }

  /** Refuses to replace anything but its like, and that only with `force`. */
  static async create(
    out: string,
    { force }: { force: boolean },
    content: FolderContent,
  ): Promise<OutputFolder> {
    const target = await targetOf(out);
    await createParent(target);
    await recover(target);
    await checkTarget(target, force, content);
    const path = `${partialPrefix(target)}${process.pid}-${Date.now().toString(36)}`;
    await mkdir(path);
    return new OutputFolder(target, path);
  }

  async commit(): Promise<void> {
    const old = `${partialPrefix(this.#target)}${process.pid}-old`;
    let replaced = false;
    try {
      await rmdir(this.#target);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === "ENOTEMPTY" || code === "EEXIST") {
        await rename(this.#target, old);
        replaced = true;
      } else if (code !== "ENOENT") throw cause;
    }
    await rename(this.path, this.#target);
    if (replaced) await rm(old, { recursive: true, force: true });
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The folder itself, where the name is a link to it. */
async function targetOf(out: string): Promise<string> {
  return realpath(out).catch(() => resolve(out));
}

async function createParent(target: string): Promise<void> {
  try {
    await mkdir(dirname(target), { recursive: true });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR" && code !== "ENOENT") throw cause;
    throw new CuelabError({
      kind: "input",
      what: "cannot make the folder",
      where: dirname(target),
      got: code === "ENOENT" ? "a place where no folders can be made" : "a file in the way",
      todo: "choose another --out",
      cause,
    });
  }
}

/** Throws unless a dataset, or what else it is, may be written there. */
export async function checkTarget(
  target: string,
  force: boolean,
  { name, already, isIn }: FolderContent,
): Promise<void> {
  if (process.cwd() === target || process.cwd().startsWith(`${target}${sep}`)) {
    throw new CuelabError({
      kind: "input",
      what: `the ${name} would take the place of the folder that you are in`,
      where: target,
      todo: "give --out the name of a folder of its own",
    });
  }
  let entries: string[];
  try {
    entries = await readdir(target);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new CuelabError({
      kind: "input",
      what: `cannot write the ${name} there`,
      where: target,
      expected: "a folder, or a name that is free",
      got: code === "ENOTDIR" ? "a file" : String((cause as Error).message),
      cause,
    });
  }
  if (entries.length === 0) {
    await refuseMountPoint(target);
    return;
  }
  const isLike = await isIn(target);
  if (isLike && force) return;
  throw new CuelabError({
    kind: "input",
    what: isLike ? already : `the folder is not empty and holds no ${name}`,
    where: target,
    todo: isLike
      ? "pass --force to replace it, or another --out"
      : "choose another --out; this one is never overwritten",
  });
}

/** An empty folder is replaced by renaming, which a mounted disk does not allow: better said before the work. */
async function refuseMountPoint(target: string): Promise<void> {
  const [inside, outside] = await Promise.all([stat(target), stat(dirname(target))]);
  if (inside.dev === outside.dev) return;
  throw new CuelabError({
    kind: "input",
    what: "the folder is a mounted disk",
    where: target,
    todo: `choose a folder on it, such as --out ${join(target, "dataset")}`,
  });
}

function partialPrefix(target: string): string {
  return join(dirname(target), `.${basename(target)}.cuelab-partial-${hostname()}-`);
}

/**
 * Removes what killed processes of this machine left behind for the same target. A process killed between the two
 * renames of `commit` leaves the old dataset aside: it is put back.
 */
async function recover(target: string): Promise<void> {
  const prefix = basename(partialPrefix(target));
  const names = await readdir(dirname(target));
  for (const name of names) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    const path = join(dirname(target), name);
    if (name.endsWith("-old") && !names.includes(basename(target))) await rename(path, target);
    else await rm(path, { recursive: true, force: true });
  }
}
