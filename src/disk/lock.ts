/** One process at a time in a run's folder: a file with the number of the process that works there. */

import { rmSync } from "node:fs";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { isAlive } from "./process-alive.ts";

export const lockName = "run.lock";

/** A process whose parent was killed needs a moment to notice. */
const patienceMs = 3000;
/** A lock is written right after it is made; one that stays empty has lost its process. */
const emptyMs = 1000;

/** Locks of this process. Another one with its number is of a former life, as happens in containers. */
const held = new Set<string>();

/** Takes the folder's lock and returns how to give it back. */
export async function lockFolder(folder: string): Promise<() => void> {
  const path = join(folder, lockName);
  const start = performance.now();
  while (!(await take(path))) {
    const owner = await ownerOf(path);
    if (owner === undefined) continue;
    if (owner === "dead") await discard(path);
    else if (performance.now() - start > patienceMs) throw taken(folder, path, owner);
    else await wait(50);
  }
  held.add(path);
  const release = () => {
    process.off("exit", release);
    held.delete(path);
    rmSync(path, { force: true });
  };
  process.on("exit", release);
  return release;
}

/** Whether some process is working in the folder. */
export async function isLocked(folder: string): Promise<boolean> {
  return typeof (await ownerOf(join(folder, lockName))) === "number";
}

async function take(path: string): Promise<boolean> {
  try {
    await writeFile(path, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw diskError(cause, path);
  }
}

/** Who holds the lock; undefined where it has gone meanwhile. */
async function ownerOf(path: string): Promise<number | "dead" | undefined> {
  try {
    const pid = Number(await readFile(path, "utf8"));
    if (pid === process.pid) return held.has(path) ? pid : "dead";
    if (pid > 0) return isAlive(pid) ? pid : "dead";
    return Date.now() - (await stat(path)).mtimeMs > emptyMs ? "dead" : Number.NaN;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}

/** Of several processes that find a dead lock, one succeeds in moving it; the others find the new one. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.${process.pid}.partial`;
  try {
    await rename(path, aside);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return;
    throw cause;
  }
  // Another may have taken the lock between the look and the move: it gets it back.
  if (typeof (await ownerOf(aside)) === "number") await rename(aside, path);
  else await rm(aside, { force: true });
}

function taken(folder: string, path: string, pid: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "another process is working on this run",
    where: folder,
    got: Number.isNaN(pid) ? "a lock that is being written" : `process ${pid}`,
    todo: `wait for it, or choose another --out; if that process is no run of cuelab, delete ${path}`,
  });
}
