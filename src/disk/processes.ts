/** Which process this is, and whether another one is still there: by its number and, where the system tells it, its start. */

import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";

/** What tells a process from any other, also from a later one that was given its number. */
export interface ProcessIdentity {
  host: string;
  /** Of the system's present run; null where the system does not tell it (macOS, Windows). */
  boot: string | null;
  /** Whose process numbers these are: containers of one machine have their own. */
  space: string | null;
  process: number;
  /** In ticks since the system began; null where the system does not tell it. */
  started: string | null;
}

let identity: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  identity ??= {
    host: hostname(),
    boot: orNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    space: orNull(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")),
    process: process.pid,
    started: startOf(process.pid),
  };
  return identity;
}

/** Whether a process of this machine is there; one that has ended and waits to be buried is not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (cause) {
    // Not allowed to signal it means that it is there.
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
  const state = statusOf(pid)?.[0];
  return state !== "Z" && state !== "X";
}

/** When a process began, as `ProcessIdentity.started`; null where nobody tells. */
export function startOf(pid: number): string | null {
  return statusOf(pid)?.[19] ?? null;
}

/** In milliseconds since 1970; undefined where nobody tells. */
export function startTimeOf(pid: number): number | undefined {
  const started = startOf(pid);
  // Linux tells ticks of a hundredth of a second on every processor that Node runs on.
  return started === null ? undefined : bootTime() + 10 * Number(started);
}

/** When this machine was switched on, in milliseconds since 1970. */
export function bootTime(): number {
  return Date.now() - 1000 * uptime();
}

/** The fields of /proc/<pid>/stat after the program's name, which may hold anything: state, parent, … */
function statusOf(pid: number): string[] | undefined {
  const text = orNull(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return text === null ? undefined : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
