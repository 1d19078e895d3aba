/** What a lock says about who holds it, and whether that process can still be working. */

import type { Stats } from "node:fs";
import { lstat, open, readFile, realpath, rm, stat, utimes } from "node:fs/promises";
import { uptime } from "node:os";
import { dirname } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { partialName } from "./partial-name.ts";
import { isAlive, mayBeNode, ownIdentity, type ProcessIdentity, startOf } from "./processes.ts";

/** How often a lock is renewed: a hundred may be missed before anybody takes it for lost. */
export const heartbeatMs = 15_000;
/** A lock of another machine that was not renewed for so long has lost its process. Long, since a step of training may
 *  keep a process from anything else. */
export const silentMs = 30 * 60_000;
/** A lock is written right after it is made, and again by who lives; one that stays empty has lost its process. */
const unfinishedMs = 2 * heartbeatMs;
/** Far more than a record takes. */
const mostRecordBytes = 1 << 16;
/** What was written so long before its file says was copied: clocks differ by less, wrong time zones among them. */
const copiedMs = 48 * 3_600_000;

export interface LockRecord extends ProcessIdentity {
  cuelabLock: 1;
  /** Where the lock was taken: a copied one lies elsewhere. */
  path: string;
  token: string;
  since: string;
  /** By the holder's clock, for people; how old it is, the file's own time tells. */
  heartbeat: string;
}

/** Who holds a lock, in words. */
export type Holder = string;

/** Of equal length whenever it is written anew, so that it is written over in place. */
export function recordText(record: LockRecord): string {
  return `${JSON.stringify(record)}\n`;
}

export function parseRecord(text: string): LockRecord | undefined {
  let record: Partial<LockRecord> | null;
  try {
    record = JSON.parse(text) as Partial<LockRecord> | null;
  } catch {
    return undefined;
  }
  const texts = [record?.host, record?.path, record?.token, record?.since, record?.heartbeat];
  const isWhole =
    record?.cuelabLock === 1 &&
    texts.every((value) => typeof value === "string") &&
    Number.isInteger(record.process) &&
    record.process! > 0;
  return isWhole ? (record as LockRecord) : undefined;
}

/**
 * `held`: respected. `gone`: this machine's own list of processes proves it. `silent`: nobody here can tell, but it was not heard
 * of for long; clocks that jump, machines that sleep and copies look the same, so it has to be watched before it is broken.
 */
export interface FoundLock {
  state: "held" | "gone" | "silent";
  holder: Holder;
  /** Another one after every heartbeat. */
  sign: string;
}

/** What lies there; undefined where there is none (any more). */
export async function foundLock(
  path: string,
  isOurs: (token: string) => boolean,
): Promise<FoundLock | undefined> {
  let text: string;
  let file: Stats;
  try {
    file = await lstat(path);
    // A pipe would be waited for, a device read without an end, and a link that leads nowhere never be replaced.
    if (!file.isFile()) throw noLock(path, file);
    text = file.size > mostRecordBytes ? "" : await readFile(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw cause;
  }
  const sign = `${file.ino} ${text}`;
  const record = parseRecord(text);
  if (record !== undefined)
    return { state: await stateOf(record, path, file, isOurs), holder: described(record), sign };
  // A number alone, as earlier versions wrote. It is never renewed: only the list of processes tells.
  const pid = Number(text);
  if (pid > 0) {
    const isHeld = pid !== process.pid && isAlive(pid) && mayBeNode(pid);
    return { state: isHeld ? "held" : "gone", holder: `process ${pid}`, sign };
  }
  const isSilent = (await ageOf(path, file)) > unfinishedMs;
  return { state: isSilent ? "silent" : "held", holder: "a process that is just beginning", sign };
}

function noLock(path: string, file: Stats): CuelabError {
  const kind = file.isDirectory() ? "a folder" : file.isSymbolicLink() ? "a link" : "a pipe or a device";
  return new CuelabError({
    kind: "input",
    what: "where a lock belongs is something else",
    where: path,
    expected: "a plain file, or nothing",
    got: kind,
    todo: "delete it: no cuelab made it",
  });
}

async function stateOf(
  record: LockRecord,
  path: string,
  file: Stats,
  isOurs: (token: string) => boolean,
): Promise<FoundLock["state"]> {
  const own = ownIdentity();
  const isHere = record.host === own.host && record.space === own.space;
  if (isHere && record.boot === own.boot) {
    if (!isAlive(record.process)) return "gone";
    if (record.view === own.view && (await isCopy(record.path, path, file))) return "gone";
    if (isOurs(record.token)) return "held";
    const started = startOf(record.process);
    if (started !== null && record.started !== null) return started === record.started ? "held" : "gone";
    // Where nobody tells when processes began, one with our number that is not ours is of a former life.
    if (record.process === own.process) return "gone";
  }
  // Another machine, a container, another machine of the same name, or a system that tells too little: it is heard of.
  if (file.mtimeMs - Date.parse(record.heartbeat) > copiedMs) return "silent";
  // Of this machine before it was switched on, or of another one of its name.
  const isEarlier = isHere && record.boot !== own.boot;
  const patienceMs = isEarlier ? Math.min(silentMs, 1000 * uptime() + heartbeatMs) : silentMs;
  return (await ageOf(path, file)) > patienceMs ? "silent" : "held";
}

/** How long ago a lock was last written, by the clock that dates it. One from the future counts from now on. */
async function ageOf(path: string, { mtimeMs }: Stats): Promise<number> {
  const now = await timeIn(dirname(path));
  if (mtimeMs - now > heartbeatMs) await utimes(path, now / 1000, now / 1000).catch(() => {});
  return now - mtimeMs;
}

/** Whether the holder took its lock elsewhere on this machine, and this is no other name for that place. */
async function isCopy(takenAt: string, path: string, file: Stats): Promise<boolean> {
  if ((await realpath(path).catch(() => path)) === takenAt) return false;
  try {
    const there = await stat(takenAt);
    return there.ino !== file.ino || there.dev !== file.dev;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function described({ host, process, since, heartbeat }: LockRecord): string {
  return `process ${process} on ${host}, since ${since}, last heard of at ${heartbeat}`;
}

/** What time it is by the clock that dates the folder's files, which may be another machine's. */
export async function timeIn(folder: string): Promise<number> {
  const probe = partialName(`${folder}/clock`);
  try {
    const file = await open(probe, "wx");
    try {
      return (await file.stat()).mtimeMs;
    } finally {
      await file.close();
      await rm(probe, { force: true });
    }
  } catch {
    // A folder that cannot be written to is only looked at.
    return Date.now();
  }
}
