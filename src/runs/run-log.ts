/**
 * What was done with a run, when, where and by which command: a line an event, beside the files that the manifest vouches for
 * and covered by none of its digests. Starting over adds to it; nothing is ever taken away.
 */

import { hostname } from "node:os";
import { basename, join } from "node:path";
import { programBuild } from "../core/build.ts";
import { quoted } from "../core/shell-words.ts";
import { version } from "../core/version.ts";
import { appendLine } from "../disk/append-line.ts";
import { readPlainSync } from "../disk/plain-file.ts";

export const logFile = "log.jsonl";

/** Who asked for a run: a command, and the entry of a sweep, where it was one. */
export interface RunOrigin {
  command?: string | undefined;
  sweep?: string | undefined;
  /** Of the sweep's entry. */
  label?: string | undefined;
  /** What else tells the entry's runs apart: a point of its search, or a seed. */
  detail?: string | undefined;
}

export interface RunStarted extends RunOrigin {
  event: "started";
  at: string;
  host: string;
  version: string;
  build: string;
  /** What was there before was thrown away. */
  force?: true;
}

export interface RunEnded {
  event: "ended";
  at: string;
  outcome: "finished" | "stopped" | "failed";
  /** Why it failed, in one line. */
  error?: string;
}

export interface RunNoted {
  event: "note";
  at: string;
  text: string;
}

export type RunEvent = RunStarted | RunEnded | RunNoted;

export async function logStart(folder: string, origin: RunOrigin, { force }: { force: boolean }) {
  const { command = thisCommand(), ...rest } = origin;
  const where = { host: hostname(), version, build: programBuild() };
  await add(folder, { event: "started", at: now(), command, ...rest, ...where, ...(force && { force }) });
}

export async function logEnd(folder: string, outcome: RunEnded["outcome"], error?: string): Promise<void> {
  await add(folder, { event: "ended", at: now(), outcome, ...(error !== undefined && { error }) });
}

export async function logNote(folder: string, text: string): Promise<void> {
  await add(folder, { event: "note", at: now(), text });
}

/** In the order in which they came; empty where nothing was logged, and without lines that nobody can read. */
export function readLog(folder: string): RunEvent[] {
  let text: string;
  try {
    text = String(readPlainSync(join(folder, logFile)));
  } catch {
    // Runs of earlier versions have none, and no result depends on it.
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const event = JSON.parse(line) as Partial<RunEvent> | null;
      return typeof event?.event === "string" && typeof event.at === "string" ? [event as RunEvent] : [];
    } catch {
      return [];
    }
  });
}

/** What people have typed, as they could type it again. */
export function thisCommand([, program = "", ...words]: readonly string[] = process.argv): string {
  const name = basename(program);
  return [name === "main.js" ? "cuelab" : name, ...words].map(quoted).join(" ");
}

function add(folder: string, event: RunEvent): Promise<void> {
  return appendLine(join(folder, logFile), JSON.stringify(event));
}

function now(): string {
  return new Date().toISOString();
}
