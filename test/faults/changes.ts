/** Which calls of `node:fs` change the disk below the folder that is watched, and their numbers over all processes and threads. */

import fs from "node:fs";
import { join, resolve, sep } from "node:path";
import { type Change, type ChangeKind, faultVariable, type Injection } from "./fault.ts";

// As they are, for what is done here.
const { existsSync, lstatSync, readFileSync, symlinkSync } = fs;

const control = process.env[faultVariable] ?? "";
const nothing: Injection = { root: "/nowhere", notes: "" };
let now = nothing;

/** What is to go wrong at this time, read anew. */
export function injectionNow(): Injection {
  let read: Injection;
  try {
    read = JSON.parse(readFileSync(control, "utf8")) as Injection;
  } catch {
    read = nothing;
  }
  if (read.notes !== now.notes) next = 1;
  now = read;
  return read;
}

let next = 1;

/** The number of a change among those of all processes: the link of that name is made by one of them. */
export function numberOf({ root, notes }: Injection, kind: ChangeKind, path: string): number {
  for (; ; next++) {
    try {
      symlinkSync(`${kind} ${path.slice(root.length + 1)}`, join(notes, String(next)));
      return next++;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    }
  }
}

/** The path, where it is below the folder that is watched. */
export function watched(path: unknown): string | undefined {
  if (typeof path !== "string" && !(path instanceof URL)) return undefined;
  const { root } = injectionNow();
  const full = resolve(path instanceof URL ? path.pathname : path);
  return full === root || full.startsWith(`${root}${sep}`) ? full : undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Which change a call is about to make; undefined where none. */
export type Reading = (given: readonly unknown[]) => Change | undefined;

const writing = /[wa+]/;

export const readings: Record<string, Reading> = {
  open: ([path, flags]) => {
    if (typeof flags !== "string" || !writing.test(flags) || flags === "r+") return undefined;
    const file = watched(path);
    return file === undefined ? undefined : { kind: "create", path: file, creates: !existsSync(file) };
  },
  mkdir: ([path]) => {
    const folder = watched(path);
    return folder === undefined || existsSync(folder)
      ? undefined
      : { kind: "create", path: folder, creates: true };
  },
  rename: ([from, to]) => moved("rename", from, to),
  link: ([from, to]) => moved("link", from, to),
  rm: ([path]) => removed(path),
  rmdir: ([path]) => removed(path),
  unlink: ([path]) => removed(path),
};

function moved(kind: ChangeKind, from: unknown, to: unknown): Change | undefined {
  const path = watched(to) ?? watched(from);
  return path === undefined ? undefined : { kind, path, creates: false };
}

function removed(path: unknown): Change | undefined {
  const target = watched(path);
  return target === undefined || !isThere(target)
    ? undefined
    : { kind: "remove", path: target, creates: false };
}

export const written = (path: string): Change => ({ kind: "write", path, creates: false });
/** Of what is in a file. */
export const shortened = (path: string): Change => ({ kind: "remove", path, creates: false });

export function bytesOf(content: unknown): Uint8Array {
  if (typeof content === "string") return Buffer.from(content, "utf8");
  const { buffer, byteOffset, byteLength } = content as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

export const halfOf = (bytes: Uint8Array) => bytes.subarray(0, Math.floor(bytes.length / 2));

/** What a call of `write` of a handle is given behind its content: where in the bytes, how many, where in the file. */
export function places(more: readonly unknown[], size: number): [number, number, unknown] {
  const [first, length, position] = more;
  if (first !== null && typeof first === "object") {
    const { offset = 0, ...rest } = first as { offset?: number; length?: number; position?: number };
    return [offset, rest.length ?? size - offset, rest.position];
  }
  const offset = (first as number | undefined) ?? 0;
  return [offset, (length as number | undefined) ?? size - offset, position];
}

export type Call = (...given: unknown[]) => unknown;
export type Holder = Record<string, Call>;

/** Files that were opened below the folder, by handle and by number. */
export const handles = new WeakMap<object, string>();
const numbers = new Map<number, string>();

export const openedAs = (number: number) => numbers.get(number);

function noteOpened(number: number, path: unknown): void {
  const file = watched(path);
  if (file === undefined) numbers.delete(number);
  else numbers.set(number, file);
}

/** Stands in front of all that opens files, faults included, and remembers by what they are known from then on. */
export function noteOpenedFiles(): void {
  const { openSync, open, promises } = fs as unknown as { openSync: Call; open: Call; promises: Holder };
  const openHandle = promises.open as (...given: unknown[]) => Promise<object>;
  const holder = fs as unknown as Holder;
  holder.openSync = (...given) => {
    const number = openSync(...given) as number;
    noteOpened(number, given[0]);
    return number;
  };
  // Streams open this way.
  holder.open = (...given) => {
    const done = given.at(-1) as (cause: unknown, number?: number) => void;
    return open(...given.slice(0, -1), (cause: unknown, number?: number) => {
      if (number !== undefined) noteOpened(number, given[0]);
      done(cause, number);
    });
  };
  promises.open = async (...given) => {
    const handle = await openHandle(...given);
    const file = watched(given[0]);
    if (file !== undefined) handles.set(handle, file);
    return handle;
  };
}

interface Handle {
  fd: number;
}

export type HandlePrototype = Record<string, (this: Handle, ...given: unknown[]) => unknown>;

export async function handlePrototype(): Promise<HandlePrototype> {
  const probe = await fs.promises.open(process.execPath, "r");
  await probe.close();
  return Object.getPrototypeOf(probe) as HandlePrototype;
}
