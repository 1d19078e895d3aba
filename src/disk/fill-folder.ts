/**
 * Fills a folder with files that a command makes, and may make again: reports, tables, figures. A mark in the folder tells
 * which files are its own. Those it may replace and take away; whatever else is there, or was changed since, it leaves.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { Lock } from "./lock.ts";
import { makeFolder } from "./make-folder.ts";
import { clearLeftovers } from "./partial-name.ts";
import { removeFile } from "./remove-file.ts";
import { writeWhole } from "./write-whole.ts";

export interface FillOptions {
  /** The command whose files they are. */
  by: string;
  /** Whether other files of the same names may be replaced. */
  force: boolean;
  /** Where no mark tells of this command: whether an earlier version, which left none, has made what is there. */
  wasOurs?: boolean;
  /** Whether what a former call has written and this one has not is taken away: it would pass for part of it. */
  removeFormer?: boolean;
  /** What of the folder was ours when the work began, as `checkFillable` has found it: what others made since then stays. */
  since?: FormerFiles;
}

export type WriteFile = (name: string, content: string | Uint8Array) => Promise<void>;

const markName = ".cuelab-made.json";
const lockName = ".cuelab-made.lock";

interface MadeFile {
  by: string;
  /** What it may hash to and be ours: two while it is being replaced. */
  sha256: string[];
}

type MadeFiles = Map<string, MadeFile>;
type FormerFiles = ReadonlyMap<string, MadeFile>;

export async function fillFolder(
  folder: string,
  options: FillOptions,
  fill: (write: WriteFile) => Promise<void>,
): Promise<void> {
  await makeFolder(folder);
  const lock = await Lock.take(join(folder, lockName), "folder");
  try {
    const made = await readMark(folder);
    const former = options.since ?? new Map(made);
    const written = new Set<string>();
    const confirm = () => lock.check();
    await fill(async (name, content) => {
      const sha256 = digestOf(content);
      const there = await checkReplaceable(folder, name, former, options, sha256);
      written.add(name);
      // Told beforehand: whoever is killed in between finds its file again.
      made.set(name, { by: options.by, sha256: there === undefined ? [sha256] : [there, sha256] });
      await writeMark(folder, made, confirm);
      const path = join(folder, name);
      if (there !== sha256) await writeWhole(path, content, { overwrite: there !== undefined, confirm });
      // Who was killed right after a file had its name has left the other one.
      else await clearLeftovers(dirname(path));
      made.set(name, { by: options.by, sha256: [sha256] });
    });
    await confirm();
    if (options.removeFormer === true) await removeOthers(folder, made, written, options.by);
    await writeMark(folder, made, confirm);
  } finally {
    lock.release();
  }
}

/** Those of the same command that are as it has made them. */
async function removeOthers(
  folder: string,
  made: MadeFiles,
  written: Set<string>,
  command: string,
): Promise<void> {
  for (const [name, { by, sha256 }] of made) {
    if (by !== command || written.has(name)) continue;
    const there = await digestAt(join(folder, name));
    if (there !== undefined && sha256.includes(there)) await removeFile(join(folder, name));
    made.delete(name);
  }
}

/** Says before the work what `fillFolder` would say after it, of files whose names are known; the options are for that then. */
export async function checkFillable(
  folder: string,
  names: readonly string[],
  options: FillOptions,
): Promise<FillOptions> {
  await makeFolder(folder);
  const made = await readMark(folder);
  for (const name of names) await checkReplaceable(folder, name, made, options);
  return { ...options, since: made };
}

/** The digest of the file that is there; throws where it is not ours to replace. */
async function checkReplaceable(
  folder: string,
  name: string,
  made: FormerFiles,
  { by, force, wasOurs = false }: FillOptions,
  wanted?: string,
): Promise<string | undefined> {
  const path = join(folder, name);
  const there = await digestAt(path);
  const known = made.get(name);
  const isMarked = [...made.values()].some((file) => file.by === by);
  if (there === undefined || there === wanted || force) return there;
  if (known?.sha256.includes(there) ?? (wasOurs && !isMarked)) return there;
  throw new CuelabError({
    kind: "input",
    what: known === undefined ? "there is a file already" : "the file was changed since it was made",
    where: path,
    todo: "pass --force to replace it, move it away, or choose another folder",
  });
}

/** Nothing is ours in a folder whose mark is missing or damaged. */
async function readMark(folder: string): Promise<MadeFiles> {
  const text = await readFile(join(folder, markName), "utf8").catch(() => "{}");
  let files: unknown;
  try {
    files = (JSON.parse(text) as { files?: unknown }).files;
  } catch {
    return new Map();
  }
  const isOurs = ([name, file]: [string, MadeFile]) =>
    typeof file?.by === "string" &&
    Array.isArray(file.sha256) &&
    !isAbsolute(name) &&
    !name.split(/[\\/]/).includes("..");
  return new Map(Object.entries((files ?? {}) as Record<string, MadeFile>).filter(isOurs));
}

async function writeMark(folder: string, made: MadeFiles, confirm: () => Promise<void>): Promise<void> {
  const text = JSON.stringify({ cuelabMade: 1, files: Object.fromEntries(made) }, null, 2);
  await writeWhole(join(folder, markName), `${text}\n`, { overwrite: true, confirm });
}

async function digestAt(path: string): Promise<string | undefined> {
  try {
    return digestOf(await readFile(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw diskError(cause, path);
  }
}

function digestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
