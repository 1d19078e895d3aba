/** Threads for readers of tables. Starting one takes longer than reading a small file, so they may be started ahead. */

import { Worker } from "node:worker_threads";
import type { ReaderSetup } from "./task-reader.ts";

type Kind = ReaderSetup["kind"];

/** Of JavaScript's own objects; bytes and numbers lie outside. */
const heapMegabytes = 256;
/** Who opens a table reads it soon, or never. */
const spareMs = 2000;

/** Started, and not yet taken. They keep no process alive. */
const spare: { kind: Kind; thread: Worker }[] = [];

/** Before it is known what is to be read; there are never more than these. */
export function startAhead(kind: Kind, count: number): void {
  while (spare.length < count) {
    const thread = started(kind);
    thread.unref();
    spare.push({ kind, thread });
    const forget = () => {
      const at = spare.findIndex((each) => each.thread === thread);
      if (at >= 0) spare.splice(at, 1);
      return at >= 0;
    };
    // One that cannot start is an error of the table that asks for the next.
    thread.once("error", forget);
    setTimeout(() => {
      if (forget()) void thread.terminate();
    }, spareMs).unref();
  }
}

/** A thread that reads what its setup says; see `table-worker.ts`. */
export function threadFor(setup: ReaderSetup): Worker {
  const at = spare.findIndex(({ kind }) => kind === setup.kind);
  const thread = at < 0 ? started(setup.kind) : spare.splice(at, 1)[0]!.thread;
  thread.ref();
  thread.postMessage(setup);
  return thread;
}

function started(kind: Kind): Worker {
  return new Worker(new URL("./table-worker.js", import.meta.url), {
    workerData: kind,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 16 },
  });
}
