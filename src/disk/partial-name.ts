/**
 * How what is being made is called until it is whole: `.<name>.cuelab-partial-<whose>-<process>-<start>-<number>` beside
 * its place. The name tells whose it is, so that what a killed process left behind is known, and nothing else is taken for it.
 */

import { readdir, rm, stat } from "node:fs/promises";
import { uptime } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive, ownIdentity, startOf } from "./processes.ts";

const mark = ".cuelab-partial-";
/** File systems take 255 bytes for a name; the rest of ours needs less than half. */
const mostBytes = 120;
const mostOfHost = 60;
/** What is being written is newer. */
const oldMs = 24 * 3_600_000;

let made = 0;

/** A name that is free, beside the target. */
export function partialName(target: string): string {
  const { process, started } = ownIdentity();
  made++;
  const owner = `${place()}-${process}-${started ?? "0"}-${made.toString(36)}`;
  return `${prefixOf(target)}${owner}`;
}

function hiddenName(target: string, ending: string): string {
  return join(dirname(target), `.${shortened(basename(target))}.${ending}`);
}

/** Of something half-made that outlives a kill, for whoever makes the same again: `key` says what it is of. */
export function keptName(target: string, key: string): string {
  return `${keptPrefix(target)}${key}`;
}

/** Whether a name is that of something of this target that was kept, whatever it was of. */
export function isKept(name: string, target: string): boolean {
  return name.startsWith(basename(keptPrefix(target)));
}

function keptPrefix(target: string): string {
  return `${prefixOf(target)}kept-`;
}

/** Where the old folder waits while the new one takes its place. */
export function asideName(target: string): string {
  return `${partialName(target)}${aside}`;
}

const aside = "-old";

export function isAside(name: string): boolean {
  return name.endsWith(aside);
}

/**
 * Names in the folder that dead processes of this machine have left: for a target, to who holds its lock, or for any. What carries this
 * machine's name and not its present run may be another machine's of that name. Behind a lock that does not matter: whoever had it
 * has lost it. Without one, it is left alone until it is old.
 */
export async function leftovers(folder: string, target?: string): Promise<string[]> {
  const found: string[] = [];
  const start = target === undefined ? "" : basename(prefixOf(target));
  for (const name of await readdir(folder)) {
    const owner = name.startsWith(start) ? ownerIn(name) : undefined;
    if (owner === undefined) continue;
    const isLeft = owner.isOfThisRun
      ? isGone(owner)
      : target !== undefined || (await isOlderThanThisRun(join(folder, name)));
    if (isLeft) found.push(name);
  }
  return found;
}

const cleared = new Set<string>();

/** Removes files that killed processes left half-written. Once a process looks into a folder: it may be large. */
export async function clearLeftovers(folder: string): Promise<void> {
  // What is called the same later may be another folder. Where the system does not know when it was made, it says when it was changed.
  const { dev, ino, birthtimeMs, ctimeMs } = await stat(folder);
  const which = `${folder} ${dev} ${ino} ${birthtimeMs < ctimeMs ? birthtimeMs : ""}`;
  if (cleared.has(which)) return;
  cleared.add(which);
  for (const name of await leftovers(folder)) {
    // Folders are left to whoever makes them again, which may have to put the former one back.
    await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

/** Removes everything half-made from a folder, for who holds its lock: whoever was writing there is gone. */
export async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (isPartial(name) || name.endsWith(lockEnding)) await rm(join(folder, name), { force: true });
  }
}

const lockEnding = ".cuelab-lock";

/** Of the lock of a file or folder, beside it. */
export function lockBeside(target: string): string {
  return hiddenName(target, lockEnding.slice(1));
}

/** Whether a name is that of something half-made. */
export function isPartial(name: string): boolean {
  return name.includes(mark);
}

interface Owner {
  /** Of this machine since it was switched on: then the list of processes tells about it. */
  isOfThisRun: boolean;
  process: number;
  started: string;
}

/** Undefined where it is another machine's, another container's, or nothing half-made at all. */
function ownerIn(name: string): Owner | undefined {
  const at = name.indexOf(mark);
  const { host, space } = ownIdentity();
  const whose = at <= 0 ? "" : name.slice(at + mark.length);
  if (!whose.startsWith(host.slice(0, mostOfHost))) return undefined;
  // Earlier versions told neither the space of process numbers, nor the run of the machine, nor the start.
  const parts = /^(?:~([\d+]*)(?:~(\w*))?)?-(\d+)(?:-(\w+)|$)/.exec(
    whose.slice(Math.min(host.length, mostOfHost)),
  );
  if (parts === null) return undefined;
  const [, itsSpace, itsRun, process, started = ""] = parts;
  if (itsSpace !== undefined && itsSpace !== (space ?? "")) return undefined;
  return { isOfThisRun: itsRun === thisRun(), process: Number(process), started };
}

function isGone({ process, started }: Owner): boolean {
  if (!isAlive(process)) return true;
  const now = startOf(process);
  return now !== null && /^\d{2,}$/.test(started) && started !== now;
}

/** So old that nobody writes it any more, and older than the time since this machine was switched on. */
async function isOlderThanThisRun(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there !== undefined && Date.now() - there.mtimeMs > Math.max(oldMs, 1000 * uptime());
}

function prefixOf(target: string): string {
  return hiddenName(target, mark.slice(1));
}

/** Process numbers mean something on this machine, since it was switched on, and in this container alone. */
function place(): string {
  const { host, space } = ownIdentity();
  return `${host.slice(0, mostOfHost)}~${space ?? ""}~${thisRun()}`;
}

function thisRun(): string {
  return ownIdentity().boot?.slice(0, 8) ?? "";
}

/** At most as many bytes as leave room for the rest. */
function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > mostBytes) short = short.slice(0, -1);
  return short;
}
