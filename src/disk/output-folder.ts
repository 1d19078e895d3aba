/**
 * A folder that appears whole or not at all: filled under another name, then renamed. Of two that make the same one, the
 * second is told; what appears in its place meanwhile stays.
 */

import { type FileHandle, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { Lock } from "./lock.ts";
import { makeFolder } from "./make-folder.ts";
import { asideName, isAside, isKept, keptName, leftovers, lockBeside, partialName } from "./partial-name.ts";
import { syncPath, syncTree } from "./sync.ts";
import { filesIn, removeListed } from "./tree.ts";
import { beginUnfinished, endUnfinished } from "./unfinished.ts";
import { writeWhole } from "./write-whole.ts";

/** What a folder is filled with; with `force`, it may take the place of its like. */
export interface FolderContent {
  /** "dataset" */
  name: string;
  /** "a dataset is there already" */
  already: string;
  /** Tells its own files by their paths inside, with `/` between; undefined where the folder is none of its like. */
  ownIn: (folder: string) => Promise<((path: string) => boolean) | undefined>;
}

export class OutputFolder {
  /** Where to write until `commit`. */
  readonly path: string;
  readonly #target: string;
  readonly #force: boolean;
  readonly #content: FolderContent;
  readonly #lock: Lock;
  /** Files of an earlier process may lie in it. */
  readonly #isKept: boolean;

  private constructor(
    target: string,
    path: string,
    { force, isKept }: { force: boolean; isKept: boolean },
    content: FolderContent,
    lock: Lock,
  ) {
    this.#target = target;
    this.path = path;
    this.#force = force;
    this.#isKept = isKept;
    this.#content = content;
    this.#lock = lock;
  }

  /**
   * Refuses to replace anything but its like, and that only with `force`. Commit or discard it. With a `key`, what a killed or
   * interrupted process has made of the same key is there already, and may be gone on with.
   */
  static async create(
    out: string,
    { force, key }: { force: boolean; key?: string | undefined },
    content: FolderContent,
  ): Promise<OutputFolder> {
    const target = await targetOf(out);
    await makeFolder(dirname(target));
    let lock: Lock | undefined;
    try {
      // Said at once: whoever makes such a folder has no other process that could outlive it.
      lock = await Lock.take(lockBeside(target), content.name, { patienceMs: 0 });
      await recover(target, content);
      await checkTarget(target, force, content);
      const path = key === undefined ? partialName(target) : keptName(target, key);
      await removeOthers(target, path);
      if (key === undefined) beginUnfinished(path);
      await mkdir(path, { recursive: key !== undefined });
      return new OutputFolder(target, path, { force, isKept: key !== undefined }, content, lock);
    } catch (cause) {
      lock?.release();
      throw diskError(cause, target);
    }
  }

  /** A file of the folder, which nobody sees before it is whole. */
  async write(name: string, content: Uint8Array | string): Promise<void> {
    // Whoever commits waits for the disk, once for all files.
    const options = { overwrite: this.#isKept, durable: false };
    await writeWhole(join(this.path, name), content, options);
  }

  /** Left as it is for whoever makes the same again; for a folder with a key. */
  leave(): void {
    this.#lock.release();
  }

  /** A file of the folder, to be written piece by piece. */
  async open(name: string): Promise<FileHandle> {
    return open(join(this.path, name), "wx").catch((cause: unknown) => {
      throw diskError(cause, this.#target);
    });
  }

  async commit(): Promise<void> {
    await syncTree(this.path);
    await this.#lock.check();
    const old = this.#force ? await this.#moveAside() : undefined;
    try {
      await moveTo(this.path, this.#target);
    } catch (cause) {
      const back =
        old === undefined ||
        (await rename(old.path, this.#target).then(
          () => true,
          () => false,
        ));
      if (!appeared(cause)) throw cause;
      const got = "something that appeared while it was being made";
      throw this.#refused([back ? got : `${got}; what was there before is in ${old.path}`]);
    }
    endUnfinished(this.path);
    await syncPath(dirname(this.#target));
    if (old !== undefined) await removeOld(this.#target, old);
    this.#lock.release();
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 });
    endUnfinished(this.path);
    this.#lock.release();
  }

  /** Takes away what was there, once it is known to be its like and nothing else; undefined where nothing was. */
  async #moveAside(): Promise<{ path: string; files: string[] } | undefined> {
    if ((await filesIn(this.#target)).length === 0) return undefined;
    const path = asideName(this.#target);
    await rename(this.#target, path);
    // Looked at where nobody can put anything any more.
    const files = await filesIn(path);
    const isOwn = await this.#content.ownIn(path);
    const foreign = files.filter((file) => isOwn?.(file) !== true);
    if (foreign.length === 0) return { path, files };
    await rename(path, this.#target);
    throw this.#refused(foreign);
  }

  #refused(got: readonly string[]): CuelabError {
    return refused(this.#target, this.#content, got);
  }
}

/** The folder itself, where the name is a link to it. */
async function targetOf(out: string): Promise<string> {
  return realpath(out).catch(() => resolve(out));
}

/** Throws unless a dataset, or what else it is, may be written there. */
export async function checkTarget(target: string, force: boolean, content: FolderContent): Promise<void> {
  const { name, already, ownIn } = content;
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
  const isOwn = await ownIn(target);
  if (isOwn === undefined) {
    throw new CuelabError({
      kind: "input",
      what: `the folder is not empty and holds no ${name}`,
      where: target,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  if (!force) {
    throw new CuelabError({
      kind: "input",
      what: already,
      where: target,
      todo: "pass --force to replace it, or another --out",
    });
  }
  const foreign = (await filesIn(target)).filter((file) => !isOwn(file));
  if (foreign.length > 0) throw refused(target, content, foreign);
}

/** Files that nobody said may go; a few of them are named. */
function refused(target: string, { name }: FolderContent, foreign: readonly string[]): CuelabError {
  const some = foreign.slice(0, 5).join(", ");
  return new CuelabError({
    kind: "input",
    what: `the folder holds other files beside the ${name}`,
    where: target,
    got: foreign.length > 5 ? `${some} and ${foreign.length - 5} more` : some,
    todo: "move that away, or choose another --out; nothing was deleted",
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

/** Under a name that says it may go, for the case that this process is killed meanwhile. */
async function removeOld(target: string, { path, files }: { path: string; files: string[] }): Promise<void> {
  const going = partialName(target);
  await rename(path, going);
  await removeListed(going, files);
}

/** The system puts a folder where nothing is, or an empty folder; where that needs to go first, only an empty one goes. */
async function moveTo(path: string, target: string): Promise<void> {
  if (process.platform === "win32") await rmdir(target).catch(() => {});
  await rename(path, target);
}

/** What was kept of this target and is of something else will not be gone on with. */
async function removeOthers(target: string, path: string): Promise<void> {
  for (const name of await readdir(dirname(target))) {
    const found = join(dirname(target), name);
    if (isKept(name, target) && found !== path) await rm(found, { recursive: true, force: true });
  }
}

function appeared(cause: unknown): boolean {
  return ["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"].includes((cause as NodeJS.ErrnoException).code ?? "");
}

/**
 * Removes what killed processes of this machine left behind for the same target. A process killed between the two
 * renames of `commit` leaves the old folder aside: it is put back, or goes if it is known for its like.
 */
async function recover(target: string, { ownIn }: FolderContent): Promise<void> {
  const there = await stat(target).catch(() => undefined);
  for (const name of await leftovers(dirname(target), target)) {
    const path = join(dirname(target), name);
    if (!isAside(name)) await rm(path, { recursive: true, force: true });
    else if (there === undefined) await rename(path, target);
    else {
      const isOwn = await ownIn(path);
      if (isOwn !== undefined) await removeListed(path, (await filesIn(path)).filter(isOwn));
    }
  }
}
