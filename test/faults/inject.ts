/**
 * Loaded before the program (`node --import`), in every process and thread of it: counts the changes of the disk below one folder, over
 * all of them, and lets one go wrong. It stands in front of `node:fs`, so that no writer of the program, or of a library, escapes.
 */

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import {
  bytesOf,
  type Call,
  type HandlePrototype,
  type Holder,
  halfOf,
  handlePrototype,
  handles,
  injectionNow,
  noteOpenedFiles,
  numberOf,
  openedAs,
  places,
  type Reading,
  readings,
  shortened,
  watched,
  written,
} from "./changes.ts";
import { type Change, type Fault, faultVariable, statesVariable } from "./fault.ts";
import { stopHeartbeats } from "./no-heartbeats.ts";
import { patchSerially } from "./serial.ts";

// As it is, for what is done here.
const { writeSync } = fs;

/** What becomes of this change; undefined where it happens as it should. */
function fateOf({ kind, path, creates }: Change): Fault | undefined {
  const injection = injectionNow();
  const { fault, at, notes } = injection;
  // Opened in the command before, which was watched.
  if (notes === "") return undefined;
  const number = numberOf(injection, kind, path);
  if (fault === undefined || at === undefined || number < at) return undefined;
  switch (fault) {
    case "killed":
      return "killed";
    case "torn":
      return kind === "write" ? "torn" : undefined;
    case "full":
      // Room can be given back on a full disk, and names changed.
      return kind === "write" || creates ? "full" : undefined;
    case "read-only":
      return "read-only";
    case "vanished":
      return number === at ? "vanished" : undefined;
  }
}

/** With all processes of the command: what a power cut, or a scheduler, does. */
function end(): never {
  process.kill(0, "SIGKILL");
  throw new Error("still there after SIGKILL");
}

const told = {
  full: ["ENOSPC", "no space left on device"],
  "read-only": ["EROFS", "read-only file system"],
  vanished: ["ENOENT", "no such file or directory"],
} as const;

function failure(fault: keyof typeof told, syscall: string, path: string): Error {
  const [code, text] = told[fault];
  return Object.assign(new Error(`${code}: ${text}, ${syscall} '${path}'`), { code, syscall, path });
}

/** Before the change: kills, or says what it fails with; a write that is cut short is the caller's business. */
function before(change: Change, syscall: string): "torn" | "full" | undefined {
  const fate = fateOf(change);
  if (fate === "killed") end();
  if (fate === "torn" || (fate === "full" && change.kind === "write")) return fate;
  if (fate !== undefined) throw failure(fate, syscall, change.path);
  return undefined;
}

/** Node's own functions call each other; what they do inside is part of the change that was counted. */
let inside = 0;

function patchSync(name: string, reading: Reading): void {
  const holder = fs as unknown as Holder;
  const original = holder[`${name}Sync`]!;
  holder[`${name}Sync`] = (...given) => {
    const change = inside > 0 ? undefined : reading(given);
    if (change !== undefined) before(change, name);
    inside++;
    try {
      return original(...given);
    } finally {
      inside--;
    }
  };
}

function patchPromise(name: string, reading: Reading): void {
  const holder = fs.promises as unknown as Holder;
  const original = holder[name]!;
  holder[name] = async (...given) => {
    const change = reading(given);
    if (change !== undefined) before(change, name);
    return original(...given);
  };
}

function patchOpen(): void {
  patchSync("open", readings.open!);
  patchPromise("open", readings.open!);
  const holder = fs as unknown as Holder;
  const open = holder.open!;
  holder.open = (...given) => {
    const done = given.at(-1) as (cause: unknown) => void;
    const found = readings.open!(given);
    try {
      if (found !== undefined) before(found, "open");
    } catch (cause) {
      process.nextTick(done, cause);
      return undefined;
    }
    return open(...given);
  };
  noteOpenedFiles();
}

/** The parts of a write that reach the disk, where it is cut short. */
function cut(fd: number, bytes: Uint8Array, position: unknown, fate: "torn" | "full"): number {
  const half = halfOf(bytes);
  if (half.length > 0) writeSync(fd, half, 0, half.length, typeof position === "number" ? position : null);
  if (fate === "torn") end();
  return half.length;
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
      try {
        const fate = before(written(path), name);
        if (fate === undefined) return original(...given);
        const bytes = name === "writev" ? Buffer.concat(content as Uint8Array[]) : bytesOf(content);
        cut(fd, bytes, undefined, fate);
        throw failure("full", name, path);
      } catch (cause) {
        process.nextTick(done, cause);
        return undefined;
      }
    };
  }
}

/** Whole contents; streams are counted by their parts. */
function patchWriteFile(): void {
  const holder = fs as unknown as Holder;
  for (const name of ["writeFileSync", "appendFileSync"]) {
    const original = holder[name]!;
    holder[name] = (target, content, ...more) => {
      const path = watched(target);
      const fate = path === undefined || inside > 0 ? undefined : before(written(path), "write");
      inside++;
      try {
        if (fate === undefined) return original(target, content, ...more);
        original(target, halfOf(bytesOf(content)), ...more);
        if (fate === "torn") end();
        throw failure("full", "write", path!);
      } finally {
        inside--;
      }
    };
  }
  const writeFile = fs.promises.writeFile as unknown as Call;
  (fs.promises as unknown as Holder).writeFile = async (target, content, ...more) => {
    const path = handles.get(target as object) ?? watched(target);
    if (path === undefined) return writeFile(target, content, ...more);
    if (typeof content !== "string" && !ArrayBuffer.isView(content))
      return writeFile(target, parts(content as AsyncIterable<Uint8Array>, path), ...more);
    const fate = before(written(path), "write");
    if (fate === undefined) return writeFile(target, content, ...more);
    await writeFile(target, halfOf(bytesOf(content)), ...more);
    if (fate === "torn") end();
    throw failure("full", "write", path);
  };
}

async function* parts(content: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  for await (const part of content) {
    const fate = before(written(path), "write");
    if (fate === undefined) yield part;
    else {
      yield halfOf(bytesOf(part));
      if (fate === "torn") end();
      throw failure("full", "write", path);
    }
  }
}

/** A full disk takes what there is room for and says how much; only the next write fails. */
async function patchHandles(): Promise<void> {
  const prototype = await handlePrototype();
  patchContents(prototype, "writeFile");
  patchContents(prototype, "appendFile");
  const truncate = prototype.truncate!;
  prototype.truncate = async function (...given) {
    const path = handles.get(this);
    if (path !== undefined) before(shortened(path), "ftruncate");
    return truncate.call(this, ...given);
  };
  const write = prototype.write!;
  /** Of which fault a write has been cut short already. */
  let short = "";
  prototype.write = async function (content, ...more) {
    const path = handles.get(this);
    const fate = path === undefined ? undefined : before(written(path), "write");
    if (fate === undefined) return write.call(this, content, ...more);
    const options = more[0];
    const isText = typeof content === "string";
    const all = bytesOf(content);
    const [offset, length, position] = isText ? [0, all.length, options] : places(more, all.length);
    const { notes } = injectionNow();
    if (fate === "full" && short === notes) throw failure("full", "write", path!);
    short = notes;
    return {
      bytesWritten: cut(this.fd, all.subarray(offset, offset + length), position, fate),
      buffer: content,
    };
  };
}

/** Whole contents through a handle. */
function patchContents(prototype: HandlePrototype, name: "writeFile" | "appendFile"): void {
  const original = prototype[name]!;
  prototype[name] = async function (content, ...more) {
    const path = handles.get(this);
    const fate = path === undefined ? undefined : before(written(path), "write");
    if (fate === undefined) return original.call(this, content, ...more);
    cut(this.fd, bytesOf(content), undefined, fate);
    throw failure("full", "write", path!);
  };
}

stopHeartbeats();
if (process.env[statesVariable] !== undefined) await patchSerially();
else if (process.env[faultVariable] !== undefined) {
  await patchHandles();
  patchOpen();
  patchStreams();
  patchWriteFile();
  for (const [name, reading] of Object.entries(readings)) {
    if (name === "open") continue;
    patchSync(name, reading);
    patchPromise(name, reading);
  }
  syncBuiltinESMExports();
}
