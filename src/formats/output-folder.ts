/** A folder that appears whole or not at all: filled under another name, then renamed. */

import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { readManifest } from "./manifest.ts";

export class OutputFolder {
  /** Where to write until `commit`. */
  readonly path: string;
  readonly #target: string;

  private constructor(target: string, path: string) {
    this.#target = target;
    this.path = path;
  }

  /** Refuses to replace anything but a dataset, and that only with `force`. */
  static async create(out: string, { force }: { force: boolean }): Promise<OutputFolder> {
    const target = resolve(out);
    await mkdir(dirname(target), { recursive: true });
    await recover(target);
    await checkTarget(target, force);
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

/** Throws unless a dataset may be written there. */
export async function checkTarget(target: string, force: boolean): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(target);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new CuelabError({
      kind: "input",
      what: "cannot write the dataset there",
      where: target,
      expected: "a folder, or a name that is free",
      got: code === "ENOTDIR" ? "a file" : String((cause as Error).message),
      cause,
    });
  }
  if (entries.length === 0) return;
  const isDataset = (await readManifest(target).catch(() => undefined)) !== undefined;
  if (isDataset && force) return;
  throw new CuelabError({
    kind: "input",
    what: isDataset ? "a dataset is there already" : "the folder is not empty and holds no dataset",
    where: target,
    todo: isDataset
      ? "pass --force to replace it, or another --out"
      : "choose another --out; this one is never overwritten",
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}
