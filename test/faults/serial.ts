/**
 * Instead of faults: one change after the other, over all processes and threads, and before each a copy of all that is there, which is what
 * a kill at this moment leaves; of a write also with its first half on the disk. What the program asks for without waiting is done at once
 * here, as a disk might: no change is then under way while another one's copy is made.
 */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import {
  bytesOf,
  type Call,
  type Holder,
  halfOf,
  handlePrototype,
  handles,
  injectionNow,
  noteOpenedFiles,
  numberOf,
  openedAs,
  places,
  readings,
  shortened,
  watched,
  written,
} from "./changes.ts";
import { copyTree } from "./copy-tree.ts";
import { type Change, statesVariable } from "./fault.ts";

const { closeSync, ftruncateSync, mkdirSync, openSync, rmdirSync, writeSync } = fs;
const states = process.env[statesVariable] ?? "";
const turn = join(states, "turn");
const pause = new Int32Array(new SharedArrayBuffer(4));

/** What is done here is no change of the program's; nor is what Node's functions do when they call each other. */
let inside = 0;

/** While nobody else changes anything. */
function alone<Result>(work: () => Result): Result {
  if (inside > 0) return work();
  for (;;)
    try {
      mkdirSync(turn);
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
      Atomics.wait(pause, 0, 0, 0.2);
    }
  inside++;
  try {
    return work();
  } finally {
    inside--;
    rmdirSync(turn);
  }
}

/** Its number. */
function keep({ kind, path }: Change): number {
  const injection = injectionNow();
  const number = numberOf(injection, kind, path);
  copyTree(injection.root, join(states, String(number)));
  return number;
}

/** In two halves, and a copy in between. */
function write(fd: number, bytes: Uint8Array, path: string, position: number | null = null): void {
  const number = keep(written(path));
  const half = halfOf(bytes).length;
  writeAll(fd, bytes.subarray(0, half), position);
  copyTree(injectionNow().root, join(states, `${number}-torn`));
  writeAll(fd, bytes.subarray(half), position === null ? null : position + half);
}

function writeAll(fd: number, bytes: Uint8Array, position: number | null): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(fd, bytes, at, bytes.length - at, position === null ? null : position + at);
}

interface Flags {
  flag?: string;
  mode?: number;
}

/** A file's whole content by its path, as one change. */
function writeNamed(path: string, content: unknown, options: unknown, usual: string): void {
  const { flag = usual, mode } = (options !== null && typeof options === "object" ? options : {}) as Flags;
  const bytes = bytesOf(content);
  const number = keep(written(path));
  const fd = openSync(path, flag, mode);
  try {
    const half = halfOf(bytes).length;
    writeAll(fd, bytes.subarray(0, half), null);
    copyTree(injectionNow().root, join(states, `${number}-torn`));
    writeAll(fd, bytes.subarray(half), null);
  } finally {
    closeSync(fd);
  }
}

export async function patchSerially(): Promise<void> {
  mkdirSync(states, { recursive: true });
  const sync = fs as unknown as Holder;
  const promises = fs.promises as unknown as Holder;
  for (const [name, reading] of Object.entries(readings)) {
    const original = sync[`${name}Sync`]!;
    const changed: Call = (...given) => {
      if (inside > 0 || reading(given) === undefined) return original(...given);
      return alone(() => {
        const change = reading(given);
        if (change !== undefined) keep(change);
        return original(...given);
      });
    };
    sync[`${name}Sync`] = changed;
    if (name === "open") continue;
    const later = promises[name]!;
    promises[name] = async (...given) => (reading(given) === undefined ? later(...given) : changed(...given));
  }
  patchOpen();
  patchStreams();
  patchWriteFile();
  await patchHandles();
  syncBuiltinESMExports();
}

function patchOpen(): void {
  const changed = fs.openSync;
  const holder = fs as unknown as Holder;
  const open = holder.open!;
  holder.open = (...given) => {
    if (readings.open!(given) === undefined) return open(...given);
    const done = given.at(-1) as (cause: unknown, number?: number) => void;
    try {
      const [path, flags, mode] = given.slice(0, -1) as [string, string, number?];
      process.nextTick(done, null, changed(path, flags, mode));
    } catch (cause) {
      process.nextTick(done, cause);
    }
    return undefined;
  };
  const openLater = fs.promises.open;
  fs.promises.open = async (path, flags, mode) => {
    if (readings.open!([path, flags]) === undefined) return openLater(path, flags, mode);
    closeSync(changed(path, flags ?? "r", mode));
    // It is there now, and empty where it should be.
    const how = String(flags).startsWith("a") ? String(flags).replace("x", "") : "r+";
    return openLater(path, how, mode);
  };
  noteOpenedFiles();
}

function patchStreams(): void {
  const holder = fs as unknown as Holder;
  for (const name of ["write", "writev"]) {
    const original = holder[name]!;
    holder[name] = (...given) => {
      const [fd, content] = given as [number, unknown];
      const path = openedAs(fd);
      if (path === undefined || inside > 0) return original(...given);
      const done = given.at(-1) as (cause: unknown, written?: number, content?: unknown) => void;
      const bytes = name === "writev" ? Buffer.concat(content as Uint8Array[]) : bytesOf(content);
      const [offset, length, position] =
        name === "writev" ? [0, bytes.length, given[2]] : places(given.slice(2, -1), bytes.length);
      try {
        const at = typeof position === "number" ? position : null;
        alone(() => write(fd, bytes.subarray(offset, offset + length), path, at));
        // Not at once: what comes meanwhile is one write with it, as it is on a disk.
        setTimeout(done, 1, null, length, content);
      } catch (cause) {
        process.nextTick(done, cause);
      }
      return undefined;
    };
  }
}

function patchWriteFile(): void {
  const sync = fs as unknown as Holder;
  for (const [name, usual] of [
    ["writeFileSync", "w"],
    ["appendFileSync", "a"],
  ] as const) {
    const original = sync[name]!;
    sync[name] = (target, content, ...more) => {
      const path = inside > 0 ? undefined : watched(target);
      if (path === undefined) return original(target, content, ...more);
      return alone(() => writeNamed(path, content, more[0], usual));
    };
  }
  const promises = fs.promises as unknown as Holder;
  const writeFile = promises.writeFile!;
  promises.writeFile = async (target, content, ...more) => {
    const ofHandle = handles.get(target as object);
    const path = ofHandle ?? watched(target);
    if (path === undefined) return writeFile(target, content, ...more);
    const isWhole = typeof content === "string" || ArrayBuffer.isView(content);
    if (isWhole && ofHandle === undefined) return alone(() => writeNamed(path, content, more[0], "w"));
    const { flag = "w", mode } = (more[0] ?? {}) as Flags;
    const fd =
      ofHandle === undefined ? alone(() => openSync(path, flag, mode)) : (target as { fd: number }).fd;
    try {
      const parts = isWhole ? [content] : (content as AsyncIterable<unknown>);
      for await (const part of parts) alone(() => write(fd, bytesOf(part), path));
    } finally {
      if (ofHandle === undefined) closeSync(fd);
    }
    return undefined;
  };
}

async function patchHandles(): Promise<void> {
  const prototype = await handlePrototype();
  for (const name of ["writeFile", "appendFile"]) {
    const original = prototype[name]!;
    prototype[name] = async function (content, ...more) {
      const path = handles.get(this);
      if (path === undefined) return original.call(this, content, ...more);
      return alone(() => write(this.fd, bytesOf(content), path));
    };
  }
  const truncate = prototype.truncate!;
  prototype.truncate = async function (...given) {
    const path = handles.get(this);
    if (path === undefined) return truncate.call(this, ...given);
    return alone(() => {
      keep(shortened(path));
      ftruncateSync(this.fd, (given[0] as number | undefined) ?? 0);
    });
  };
  const writePart = prototype.write!;
  prototype.write = async function (content, ...more) {
    const path = handles.get(this);
    if (path === undefined) return writePart.call(this, content, ...more);
    const all = bytesOf(content);
    const isText = typeof content === "string";
    const [offset, length, position] = isText ? [0, all.length, more[0]] : places(more, all.length);
    const at = typeof position === "number" ? position : null;
    alone(() => write(this.fd, all.subarray(offset, offset + length), path, at));
    return { bytesWritten: length, buffer: content };
  };
}
