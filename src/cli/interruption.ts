/**
 * INT, TERM and HUP. The first asks the work to stop and clean up; work that does not is ended; the second ends it at once.
 * Handlers run on the main thread, which foreign bytes may keep busy for good. So a thread of its own sees signals too, and
 * ends a process whose main thread does not answer.
 */

import { Worker } from "node:worker_threads";

/** How long each may take, in milliseconds. */
interface Patience {
  /** Signals so close together are one: Ctrl-C, `timeout` and npm send the same one to a process twice. */
  sameMs: number;
  /** For the main thread to notice the first. */
  answerMs: number;
  /** To save, clean up and end. Schedulers send KILL after thirty seconds. */
  stopMs: number;
  /** For the main thread to notice the second. */
  secondMs: number;
  /** To end, once nothing else helps. */
  endMs: number;
}

const patience: Patience = {
  sameMs: 300,
  answerMs: 3000,
  stopMs: 25_000,
  secondMs: 300,
  endMs: 2000,
};

export const signals = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** The function by which the thread ends the process, on the main thread, wherever that is. */
export const endKey = "cuelab.end";

export interface SignalThreadData {
  /** One: how many signals the main thread has noticed. */
  noticed: Int32Array;
  patience: Patience;
}

export interface Interruption {
  signal: AbortSignal;
  /** Signals do again what they do to any process. */
  close: () => void;
}

export interface InterruptionOptions {
  /** Whether a thread of its own watches: four milliseconds and ten megabytes. */
  watched: boolean;
  /** Says why it ended without stopping by itself, or `how` else, and ends the process. */
  end: (how?: string) => void;
}

export function interruptible({ watched, end }: InterruptionOptions): Interruption {
  const stopping = new AbortController();
  const noticed = new Int32Array(new SharedArrayBuffer(4));
  let first: number | undefined;
  const interrupt = () => {
    Atomics.add(noticed, 0, 1);
    const now = performance.now();
    if (first === undefined) {
      first = now;
      setTimeout(() => end(), patience.stopMs).unref();
      stopping.abort();
    } else if (now - first > patience.sameMs) end("a second signal ended it at once");
  };
  for (const name of signals) process.on(name, interrupt);
  const thread = watched ? watch({ noticed, patience }, end) : undefined;
  return {
    signal: stopping.signal,
    close: () => {
      for (const name of signals) process.off(name, interrupt);
      void thread?.terminate();
    },
  };
}

function watch(workerData: SignalThreadData, end: (how?: string) => void): Worker {
  (globalThis as Record<symbol, unknown>)[Symbol.for(endKey)] = () => end();
  const thread = new Worker(new URL("./signal-thread.js", import.meta.url), { workerData, execArgv: [] });
  thread.unref();
  // Without it signals wait for the main thread, as they do in any program.
  thread.on("error", () => {});
  return thread;
}
