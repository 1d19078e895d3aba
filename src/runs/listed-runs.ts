/** What was run when: every run of a folder, finished or not, with what its log tells. */

import { basename, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { isLocked, lockName } from "../disk/lock.ts";
import { readCoreTime, timeFile } from "./core-time.ts";
import { readOrDamaged, readSpec, runFolders, type StoredRun } from "./run-list.ts";
import { type RunEnded, type RunEvent, type RunNoted, type RunStarted, readLog } from "./run-log.ts";

export const runStates = ["finished", "running", "interrupted", "failed", "damaged"] as const;
export type RunState = (typeof runStates)[number];

/** Null where nobody knows: of runs of earlier versions, and of what only finished runs have. */
export interface ListedRun extends Omit<StoredRun, "format" | "epoch" | "selection"> {
  format: number | null;
  epoch: number | null;
  selection: StoredRun["selection"] | null;
  state: RunState;
  /** When it began, and when it last ended, in ISO form. */
  started: string | null;
  ended: string | null;
  /** That it was worked on, by the clock on the wall, and of all cores together. */
  seconds: number | null;
  coreSeconds: number | null;
  command: string | null;
  host: string | null;
  version: string | null;
  sweep: string | null;
  label: string | null;
  detail: string | null;
  notes: readonly string[];
  /** Why it failed, or what is damaged. */
  error: string | null;
}

/** In the order in which they began; those of which that is not known first, by their folders. */
export async function listAllRuns(folder: string): Promise<ListedRun[]> {
  const runs: ListedRun[] = [];
  for (const { path, finished } of runFolders(folder)) runs.push(await listedRun(path, finished));
  return runs
    .map((run, place) => ({ run, place }))
    .sort((a, b) => compared(a.run.started ?? "", b.run.started ?? "") || a.place - b.place)
    .map(({ run }) => run);
}

/** One run, finished or not. */
export async function listedRun(path: string, finished: boolean): Promise<ListedRun> {
  const events = sinceStartedOver(readLog(path));
  const starts = events.filter((event): event is RunStarted => event.event === "started");
  const end = events.findLast((event): event is RunEnded => event.event === "ended");
  const notes = events.filter((event): event is RunNoted => event.event === "note").map(({ text }) => text);
  const last = starts.at(-1);
  const time = await readCoreTime(join(path, timeFile));
  const found = finished ? readOrDamaged(path) : unfinished(path, last?.build);
  const broken = "cause" in found ? found.cause : undefined;
  const state = broken ? "damaged" : finished ? "finished" : await unfinishedState(path, events);
  return {
    ...("cause" in found ? nothingKnown(path) : found),
    state,
    started: starts[0]?.at ?? null,
    ended: state === "running" ? null : (end?.at ?? null),
    seconds: time?.seconds ?? null,
    coreSeconds: time?.coreSeconds ?? null,
    command: last?.command ?? null,
    host: last?.host ?? null,
    version: last?.version ?? null,
    sweep: last?.sweep ?? null,
    label: last?.label ?? null,
    detail: last?.detail ?? null,
    notes,
    error: broken ? firstLines(broken) : state === "failed" ? (end?.error ?? null) : null,
  };
}

function unfinished(path: string, build: string | undefined) {
  try {
    return { ...nothingKnown(path), ...readSpec(path), builds: build === undefined ? [] : [build] };
  } catch (cause) {
    if (cause instanceof CuelabError) return { folder: path, cause };
    throw cause;
  }
}

/** Of a run that cannot be believed: its folder, which is called as its id is. */
function nothingKnown(folder: string) {
  const id = basename(folder);
  return { id, spec: {}, folder, format: null, builds: [], epoch: null, selection: null, accuracy: [] };
}

/** What is damaged, and how, in one line. */
function firstLines({ parts: { what, where, got } }: CuelabError): string {
  return [what, where, got].filter((part) => part !== undefined).join(": ");
}

/** What was before `--force` was another run; notes are about the folder, and stay. */
function sinceStartedOver(events: readonly RunEvent[]): RunEvent[] {
  const over = events.findLastIndex((event) => event.event === "started" && event.force === true);
  return events.filter((event, i) => i >= over || event.event === "note");
}

/** A process that was killed says nothing at its end: who does not hold the lock any more was interrupted. */
async function unfinishedState(path: string, events: readonly RunEvent[]): Promise<RunState> {
  if (await isLocked(join(path, lockName))) return "running";
  const last = events.findLast(({ event }) => event !== "note");
  return last?.event === "ended" && last.outcome === "failed" ? "failed" : "interrupted";
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
