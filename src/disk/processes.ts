/** Which process this is, and whether another one is still there: by its number and, where the system tells it, its start. */

import { readFileSync, readlinkSync, statSync } from "node:fs";
import { hostname } from "node:os";

/** What tells a process from any other, also from a later one that was given its number. */
export interface ProcessIdentity {
  host: string;
  /** Of the system's present run; null where the system does not tell it (macOS, Windows). */
  boot: string | null;
  /** Whose process numbers and starts these are: containers of one machine have their own. */
  space: string | null;
  /** Whose paths these are: what is called the same elsewhere may be something else. */
  view: string | null;
  process: number;
  /** In ticks since the system began; null where the system does not tell it. */
  started: string | null;
}

/** The clock that counts from the machine's own start; Linux gives it this number everywhere. */
const firstTime = "4026531834";

let identity: ProcessIdentity | undefined;

export function ownIdentity(): ProcessIdentity {
  identity ??= {
    host: hostname(),
    boot: orNull(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    space: orNull(() => {
      const time = orNull(() => namespace("time"));
      return time === null || time === firstTime ? namespace("pid") : `${namespace("pid")}+${time}`;
    }),
    view: orNull(() => {
      const { dev, ino } = statSync("/");
      return `${namespace("mnt")}-${dev}-${ino}`;
    }),
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

/** Whether a process may be one of Node by its name; also where nobody tells it. Later versions name the thread. */
export function mayBeNode(pid: number): boolean {
  const name = statOf(pid)?.replace(/^\d+ \(|\)[^)]*$/g, "");
  return name === undefined || /node|MainThread/i.test(name);
}

/** The fields of /proc/<pid>/stat after the program's name, which may hold anything: state, parent, … */
function statusOf(pid: number): string[] | undefined {
  const text = statOf(pid);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function statOf(pid: number): string | undefined {
  return isOwnProc() ? (orNull(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? undefined) : undefined;
}

/** A container may see /proc of the machine around it, where its numbers are other processes'. */
function isOwnProc(): boolean {
  return orNull(() => readlinkSync("/proc/self")) === String(process.pid);
}

function namespace(kind: "mnt" | "pid" | "time"): string {
  return readlinkSync(`/proc/self/ns/${kind}`).replace(/\D/g, "");
}

function orNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
