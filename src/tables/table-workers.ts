/** Threads that read foreign bytes: they hold nothing else, and are ended where a file takes more than it should. */

import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { CuelabError } from "../core/errors.ts";
import type { ParsedChunk } from "./parsed-chunk.ts";
import { threadFor } from "./table-threads.ts";
import type { ReaderSetup, ReaderTask } from "./task-reader.ts";

/** What a file may take. */
const usualLimits = {
  /** For each part, which should take a hundredth of it. */
  taskSeconds: 8,
  /** In all, and a second more for each megabyte of the file. */
  fileSeconds: 10,
  /** By so much may the program grow while it reads. */
  growth: 2 ** 30,
};
const watchMs = 100;

/** More threads than this wait for the one that counts. */
export function usualWorkers(): number {
  return Math.min(4, availableParallelism());
}

interface Waiting {
  resolve: (chunk: ParsedChunk) => void;
  reject: (error: unknown) => void;
  since: number;
}

/** Tasks go to the threads in turn, and each does its own in order. */
export class TableWorkers {
  readonly #path: string;
  readonly #workers: Worker[];
  readonly #waiting: Waiting[][];
  readonly #watch: NodeJS.Timeout;
  readonly #limits: typeof usualLimits;
  readonly #mostMs: number;
  readonly #memory = process.memoryUsage.rss();
  #workedMs = 0;
  #given = 0;
  #failed: unknown;

  constructor(path: string, bytes: number, count: number, setup: ReaderSetup, limits = usualLimits) {
    this.#path = path;
    this.#limits = limits;
    this.#mostMs = 1000 * (limits.fileSeconds + bytes / 2 ** 20);
    this.#workers = Array.from({ length: count }, () => threadFor(setup));
    this.#waiting = this.#workers.map(() => []);
    for (const [i, worker] of this.#workers.entries()) {
      worker.on("message", (chunk: ParsedChunk) => {
        this.#waiting[i]!.shift()?.resolve(chunk);
        // The next one begins now.
        const [head] = this.#waiting[i]!;
        if (head) head.since = performance.now();
      });
      worker.on("messageerror", (cause) => this.#fail(this.#broken(cause)));
      worker.on("error", (cause: NodeJS.ErrnoException) =>
        this.#fail(
          cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? this.#tooMuch("more memory") : this.#broken(cause),
        ),
      );
    }
    this.#watch = setInterval(() => this.#look(), watchMs).unref();
  }

  /** The next task, and who does it. */
  run(task: ReaderTask): { reader: number; chunk: Promise<ParsedChunk> } {
    const reader = this.#given++ % this.#workers.length;
    const chunk = new Promise<ParsedChunk>((resolve, reject) => {
      if (this.#failed !== undefined) {
        reject(this.#failed);
        return;
      }
      this.#waiting[reader]!.push({ resolve, reject, since: performance.now() });
      this.#workers[reader]!.postMessage(task, task.bytes ? [task.bytes.buffer as ArrayBuffer] : []);
    });
    // Handled when its turn comes; until then a failure must not count as unhandled.
    chunk.catch(() => {});
    return { reader, chunk };
  }

  /** Threads end by themselves from here on: nobody waits for them, and they hold nothing of ours. */
  close(): void {
    clearInterval(this.#watch);
    for (const worker of this.#workers) void worker.terminate();
  }

  #look(): void {
    const heads = this.#waiting.flatMap(([head]) => head ?? []);
    if (heads.length > 0) this.#workedMs += watchMs;
    const oldest = Math.max(0, ...heads.map(({ since }) => performance.now() - since));
    if (oldest > 1000 * this.#limits.taskSeconds) this.#fail(this.#tooMuch("more time"));
    else if (this.#workedMs > this.#mostMs) this.#fail(this.#tooMuch("more time"));
    else if (process.memoryUsage.rss() - this.#memory > this.#limits.growth)
      this.#fail(this.#tooMuch("more memory"));
  }

  #fail(error: unknown): void {
    this.#failed ??= error;
    clearInterval(this.#watch);
    for (const worker of this.#workers) void worker.terminate();
    for (const queue of this.#waiting) for (const { reject } of queue.splice(0)) reject(this.#failed);
  }

  #broken(cause: Error): CuelabError {
    const got = cause.message;
    return new CuelabError({
      kind: "input",
      what: "the table cannot be read",
      where: this.#path,
      got,
      cause,
    });
  }

  #tooMuch(got: string): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "the table takes more than a file of its size should",
      where: this.#path,
      expected: `at most ${this.#limits.growth / 2 ** 30} GB of memory and ${Math.ceil(this.#mostMs / 1000)} s of reading, ${this.#limits.taskSeconds} s for each part`,
      got,
      todo: "check that the file is what it should be, or write it again with another program",
    });
  }
}
