/** What a lock says about who holds it, and whether that process can still be working. */

import type { Stats } from "node:fs";
import { open, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { partialName } from "./partial-name.ts";
import { bootTime, isAlive, ownIdentity, type ProcessIdentity, startOf, startTimeOf } from "./processes.ts";

/** A lock of another machine that was not renewed for so long has lost its process. Long, since a step of training may
 *  keep a process from anything else. */
export const silentMs = 30 * 60_000;
/** A lock is written right after it is made; one that stays empty has lost its process. */
const unfinishedMs = 10_000;
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

/** Who holds the lock; "nobody" where its process is gone, undefined where there is none (any more). */
export async function holderOf(
  path: string,
  isOurs: (token: string) => boolean,
): Promise<{ holder: Holder } | "nobody" | undefined> {
  let text: string;
  let file: Stats;
  try {
    text = await readFile(path, "utf8");
    file = await stat(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw cause;
  }
  const record = parseRecord(text);
  if (record !== undefined)
    return (await isHeld(record, path, file, isOurs)) ? { holder: described(record) } : "nobody";
  // A number alone, as earlier versions wrote.
  const pid = Number(text);
  if (pid > 0) return isHeldByNumber(pid, file) ? { holder: `process ${pid}` } : "nobody";
  const age = (await timeIn(dirname(path))) - file.mtimeMs;
  return age > unfinishedMs ? "nobody" : { holder: "a process that is just beginning" };
}

async function isHeld(
  record: LockRecord,
  path: string,
  file: Stats,
  isOurs: (token: string) => boolean,
): Promise<boolean> {
  const own = ownIdentity();
  const isHere = record.host === own.host && record.space === own.space;
  if (isHere && record.boot === own.boot) {
    if (!isAlive(record.process) || (await isCopy(record.path, path, file))) return false;
    if (isOurs(record.token)) return true;
    const started = startOf(record.process);
    if (started !== null && record.started !== null) return started === record.started;
    // Where nobody tells when processes began, one with our number that is not ours is of a former life.
    if (record.process === own.process) return false;
  } else if (isHere && file.mtimeMs < bootTime()) return false;
  // Another machine, a container, another machine of the same name, or a system that tells too little: it is heard of.
  if (file.mtimeMs - Date.parse(record.heartbeat) > copiedMs) return false;
  return (await timeIn(dirname(path))) - file.mtimeMs < silentMs;
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

/** Such a lock was written once, when the process had begun: a process that began later was given its number. */
function isHeldByNumber(pid: number, { mtimeMs }: Stats): boolean {
  if (pid === process.pid || mtimeMs < bootTime() || !isAlive(pid)) return false;
  const started = startTimeOf(pid);
  return started === undefined || started < mtimeMs + 2000;
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
