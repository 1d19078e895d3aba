/**
 * Does runs side by side, each in a process of its own, in a folder named by its id. What is finished is never done
 * again; what another pool is doing is waited for; what fails is tried once more.
 */

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CuelabError } from "../core/errors.ts";
import { isLocked, lockName } from "../disk/lock.ts";
import { runId, stagesFolder } from "../runs/run-folder.ts";
import type { RunOrigin } from "../runs/run-log.ts";
import type { RunResults } from "./results.ts";
import { type RunOutcome, runInProcess } from "./run-process.ts";
import type { RunSpec } from "./run-spec.ts";

export interface RunPoolOptions {
  folder: string;
  workers: number;
  signal: AbortSignal;
  checkpointSeconds: number;
  /** Of the sweep, study or pool that asks for them, for the runs' logs. */
  sweep?: string | undefined;
  onChange?: () => void;
  /** Ids of runs that others begin with, or with a part of which: what they leave is kept for those. */
  begunWith?: ReadonlySet<string>;
}

/** What a run is called among others: an entry, and what tells its runs apart. */
export type RunName = Required<Pick<RunOrigin, "label" | "detail">>;

export interface PoolRun {
  id: string;
  label: string;
  folder: string;
  state: "waiting" | "elsewhere" | "running" | "done" | "failed";
  /** Whether it was finished before this pool began. */
  found: boolean;
  /** Share of its training that is done. */
  progress: number;
  epoch: number;
  loss: number | undefined;
  startedMs: number | undefined;
  seconds: number | undefined;
  error: Error | undefined;
  results: RunResults | undefined;
}

/** A run of which nothing is known yet. */
export function waitingRun(folder: string, id: string, { label, detail }: RunName): PoolRun {
  return {
    id,
    label: [label, detail].filter(Boolean).join(", "),
    folder: join(folder, id),
    state: "waiting",
    found: false,
    progress: 0,
    epoch: 0,
    loss: undefined,
    startedMs: undefined,
    seconds: undefined,
    error: undefined,
    results: undefined,
  };
}

/** How often to look whether another pool has finished. */
const lookMs = 1000;
const tries = 2;

export class RunPool {
  readonly runs: PoolRun[] = [];
  readonly #options: RunPoolOptions;
  readonly #promises = new Map<string, Promise<PoolRun>>();
  readonly #queue: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #free: number;

  constructor(options: RunPoolOptions) {
    const signal = AbortSignal.any([options.signal, this.#stopping.signal]);
    this.#options = { ...options, signal };
    this.#free = options.workers;
  }

  /** Lets running runs save where they are, begins no others, and waits until all have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#promises.values());
  }

  /** Resolves when it is done or has failed for good; rejects only on interruption. Equal specs are one run. */
  run(spec: RunSpec, name: RunName): Promise<PoolRun> {
    const id = runId(spec);
    let promise = this.#promises.get(id);
    if (promise === undefined) {
      const run = waitingRun(this.#options.folder, id, name);
      this.runs.push(run);
      promise = this.#finish(run, spec, name);
      this.#promises.set(id, promise);
    }
    return promise;
  }

  async #finish(run: PoolRun, spec: RunSpec, name: RunName): Promise<PoolRun> {
    for (let failures = 0; ; ) {
      const outcome = await this.#inTurn(() => this.#attempt(run, spec, name));
      if (outcome === "done") return run;
      if (outcome === "elsewhere") {
        // Without holding a place, so that other runs go on meanwhile.
        await wait(lookMs, undefined, { signal: this.#options.signal });
        continue;
      }
      failures++;
      const hopeless = run.error instanceof CuelabError && run.error.kind === "usage";
      if (failures < tries && !hopeless) continue;
      this.#change(run, { state: "failed" });
      return run;
    }
  }

  async #attempt(run: PoolRun, spec: RunSpec, name: RunName): Promise<"done" | "elsewhere" | "failed"> {
    const { signal, checkpointSeconds, sweep, begunWith } = this.#options;
    if (await isLocked(join(run.folder, lockName))) {
      this.#change(run, { state: "elsewhere" });
      return "elsewhere";
    }
    this.#change(run, { state: "running", startedMs: performance.now(), error: undefined });
    let outcome: RunOutcome;
    try {
      outcome = await runInProcess(spec, {
        out: run.folder,
        force: false,
        origin: { sweep, ...name },
        // Runs that begin alike find each other's stages here. Whole runs would be kept twice, for nobody unless it is said.
        resources: {
          checkpointSeconds,
          stages: join(this.#options.folder, stagesFolder),
          keepsRuns: begunWith?.has(run.id) ?? false,
        },
        signal,
        onProgress: ({ epoch, loss, images, totalImages }) =>
          this.#change(run, { epoch, loss, progress: images / totalImages }),
      });
    } catch (cause) {
      signal.throwIfAborted();
      // Another pool may have been quicker by a moment.
      if (await isLocked(join(run.folder, lockName))) return "elsewhere";
      this.#change(run, { state: "waiting", error: cause as Error });
      return "failed";
    }
    if (outcome.state === "stopped") {
      signal.throwIfAborted();
      throw new CuelabError({
        kind: "failure",
        what: "a run stopped without being asked",
        where: run.folder,
      });
    }
    this.#change(run, {
      state: "done",
      progress: 1,
      found: !outcome.trained,
      results: outcome.results,
      seconds: (performance.now() - run.startedMs!) / 1000,
    });
    return "done";
  }

  /** Waits for a free place, in the order of asking. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#queue.push(go));
    try {
      this.#options.signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #change(run: PoolRun, changes: Partial<PoolRun>): void {
    Object.assign(run, changes);
    this.#options.onChange?.();
  }
}
