/** Has a pool's parts made: here, or by several processes side by side, each of one thread and with its own images. */

import { type ChildProcess, fork } from "node:child_process";
import { CuelabError } from "../../core/errors.ts";
import { pluginsToHand } from "../../plugins/at-hand.ts";
import { processDied } from "../process-died.ts";
import { JobQueue } from "./job-queue.ts";
import type { FromPoolProcess, ToPoolProcess } from "./pool-messages.ts";
import type { PoolSpec } from "./pool-spec.ts";
import { type PoolJob, PoolWorkshop, type WorkshopOptions } from "./pool-workshop.ts";

export interface WorkersOptions extends WorkshopOptions {
  /** Processes at most; one is this one. */
  workers: number;
  /** The first part is begun. */
  onBegun?: (() => void) | undefined;
  /** A part was made. */
  onMade?: (() => void) | undefined;
  /** Another process has used so many core seconds. */
  onUsed?: ((coreSeconds: number) => void) | undefined;
}

export async function makeJobs(
  spec: PoolSpec,
  jobs: readonly PoolJob[],
  options: WorkersOptions,
): Promise<void> {
  const workers = Math.min(options.workers, jobs.length);
  const queue = new JobQueue(jobs);
  if (workers === 0) return;
  if (workers > 1) return inProcesses(spec, queue, workers, options);
  const workshop = await PoolWorkshop.open(spec, options);
  options.onBegun?.();
  for (let job = queue.next(0); job !== undefined; job = queue.next(0)) {
    await workshop.make(job);
    options.onMade?.();
  }
}

const todoWhenDied = "give the same command again: what is finished stays; fewer --workers need less memory";

async function inProcesses(
  spec: PoolSpec,
  queue: JobQueue,
  workers: number,
  options: WorkersOptions,
): Promise<void> {
  const { signal } = options;
  signal?.throwIfAborted();
  const children = Array.from({ length: workers }, () =>
    fork(new URL("./pool-process.js", import.meta.url), { serialization: "advanced" }),
  );
  const closed = children.map((child) => new Promise<void>((done) => child.once("close", () => done())));
  // However this ends, no process goes on alone; a part that is half made is none.
  const kill = () => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.on("exit", kill);
  try {
    await Promise.all(
      children.map((child, worker) =>
        drive(child, worker, spec, queue, options).finally(() => child.kill("SIGKILL")),
      ),
    );
  } finally {
    kill();
    await Promise.all(closed);
    process.off("exit", kill);
  }
}

/** Gives a process one job after the other until none is left. */
function drive(
  child: ChildProcess,
  worker: number,
  spec: PoolSpec,
  queue: JobQueue,
  { out, id, signal, onImages, onNetwork, onBegun, onMade, onUsed }: WorkersOptions,
): Promise<void> {
  return new Promise((done, fail) => {
    const tell = (message: ToPoolProcess) => {
      if (child.connected) child.send(message);
    };
    const stop = () => fail(signal!.reason as Error);
    signal?.addEventListener("abort", stop, { once: true });
    child.once("close", () => signal?.removeEventListener("abort", stop));
    let opened = false;
    child.on("message", (message: FromPoolProcess) => {
      switch (message.type) {
        case "images":
          // All read the same ones at about the same time.
          if (worker === 0) onImages?.(message.done, message.total);
          break;
        case "network":
          onNetwork?.(message.kind, message.images);
          break;
        case "free": {
          onUsed?.(message.coreSeconds);
          if (opened) onMade?.();
          else if (worker === 0) onBegun?.();
          opened = true;
          const job = queue.next(worker);
          if (job === undefined) done();
          else tell({ type: "make", job });
          break;
        }
        case "failed":
          fail(message.parts ? new CuelabError(message.parts) : new Error(message.stack));
          break;
        default:
          message satisfies never;
      }
    });
    child.on("error", fail);
    child.on("close", (code, killed) =>
      fail(processDied("a process that trains classifiers died", code, killed, todoWhenDied)),
    );
    tell({ type: "open", spec, out, id, plugins: pluginsToHand() });
  });
}
