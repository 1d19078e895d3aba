/**
 * How what is being made is called until it is whole: `.<name>.cuelab-partial-<whose>-<process>-<start>-<number>` beside
 * its place. The name tells whose it is, so that what a killed process left behind is known, and nothing else is taken for it.
 */

import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive, ownIdentity, startOf } from "./processes.ts";

const mark = ".cuelab-partial-";
/** File systems take 255 bytes for a name; the rest of ours needs less than half. */
const mostBytes = 120;

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

/** Where the old folder waits while the new one takes its place. */
export function asideName(target: string): string {
  return `${partialName(target)}${aside}`;
}

const aside = "-old";

export function isAside(name: string): boolean {
  return name.endsWith(aside);
}

/** Names in the folder that dead processes of this machine have left for a target, or for any. */
export async function leftovers(folder: string, target?: string): Promise<string[]> {
  const names = await readdir(folder);
  const start = target === undefined ? undefined : basename(prefixOf(target));
  return names.filter((name) => (start === undefined || name.startsWith(start)) && isLeftover(name));
}

const cleared = new Set<string>();

/** Removes files that killed processes left half-written. Once a process looks into a folder: it may be large. */
export async function clearLeftovers(folder: string): Promise<void> {
  if (cleared.has(folder)) return;
  cleared.add(folder);
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

function isLeftover(name: string): boolean {
  const at = name.indexOf(mark);
  if (at <= 0) return false;
  const owner = name.slice(at + mark.length);
  // Earlier versions did not tell the space of process numbers, nor the start.
  const whose = [place(), hostname()].find((known) => owner.startsWith(`${known}-`));
  if (whose === undefined) return false;
  const [process = "", started = ""] = owner.slice(whose.length + 1).split("-");
  const pid = Number(process);
  if (!(pid > 0)) return false;
  if (!isAlive(pid)) return true;
  const now = startOf(pid);
  return whose === place() && now !== null && /^\d{2,}$/.test(started) && started !== now;
}

function prefixOf(target: string): string {
  return hiddenName(target, mark.slice(1));
}

/** Process numbers mean something on this machine, and in this container, alone. */
function place(): string {
  const { host, space } = ownIdentity();
  return `${host.slice(0, 60)}~${space ?? ""}`;
}

/** At most as many bytes as leave room for the rest. */
function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > mostBytes) short = short.slice(0, -1);
  return short;
}
