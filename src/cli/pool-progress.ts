/** What people see while a pool makes runs: a line for each that runs, how far all are, how long it will take. */

import { duration } from "../core/duration.ts";
import type { PoolRun } from "../training/run-pool.ts";
import type { Console } from "./console.ts";
import { LiveBlock } from "./live-block.ts";

export interface PoolProgressOptions {
  console: Console;
  quiet: boolean | undefined;
  /** Runs at most; equal ones count once when they are made. */
  total: number;
  workers: number;
}

export class PoolProgress {
  readonly #options: PoolProgressOptions;
  readonly #live = new LiveBlock(process.stderr);
  readonly #told = new Set<PoolRun>();
  readonly #startMs = performance.now();

  constructor(options: PoolProgressOptions) {
    this.#options = options;
  }

  update(runs: readonly PoolRun[]): void {
    const { console, quiet } = this.#options;
    if (quiet) return;
    for (const run of runs) {
      if ((run.state !== "done" && run.state !== "failed") || this.#told.has(run)) continue;
      this.#told.add(run);
      this.#live.clear();
      console.note(lineOf(run));
    }
    this.#live.update(() => this.#status(runs));
  }

  clear(): void {
    this.#live.clear();
  }

  #status(runs: readonly PoolRun[]): string[] {
    const { total, workers } = this.#options;
    const nowMs = performance.now();
    const running = runs.filter(({ state }) => state === "running");
    const ended = runs.filter(({ state }) => state === "done" || state === "failed");
    const seconds = secondsLeft(runs, total, workers, nowMs);
    const left = seconds === undefined ? "" : `, about ${duration(seconds)} left`;
    return [
      ...running.map(({ label, epoch, loss, progress }) => {
        const bar = "█".repeat(Math.round(12 * progress)).padEnd(12, "░");
        return `  ${bar} ${label}: epoch ${epoch}${loss === undefined ? "" : `, loss ${loss.toFixed(4)}`}`;
      }),
      `${ended.length}/${total} runs, ${running.length} running, ${duration((nowMs - this.#startMs) / 1000)}${left}`,
    ];
  }
}

function lineOf({ label, id, state, found, seconds, error }: PoolRun): string {
  if (state === "failed") return `failed: ${label} (${id}): ${error?.message ?? "unknown"}`;
  return found ? `done before: ${label} (${id})` : `done: ${label} (${id}) in ${duration(seconds!)}`;
}

/** Less of a run than this tells nothing of the rest. */
const tellingShare = 0.03;

type Timed = Pick<PoolRun, "state" | "found" | "progress" | "startedMs" | "seconds">;

/**
 * What is left if runs that have not begun take as long as the others: all of it shared out among the workers, but at
 * least as long as the run that ends last. Undefined until some run is far enough to tell.
 */
export function secondsLeft(
  runs: readonly Timed[],
  total: number,
  workers: number,
  nowMs: number,
): number | undefined {
  const going = runs.filter(({ state }) => state === "running");
  const projected = going.flatMap(({ progress, startedMs }) =>
    progress < tellingShare || startedMs === undefined
      ? []
      : [{ progress, seconds: (nowMs - startedMs) / 1000 / progress }],
  );
  const measured = runs.flatMap(({ found, seconds }) => (found || seconds === undefined ? [] : [seconds]));
  const known = [...measured, ...projected.map(({ seconds }) => seconds)];
  if (known.length === 0) return undefined;
  const each = known.reduce((sum, seconds) => sum + seconds, 0) / known.length;
  const rests = [
    ...projected.map(({ progress, seconds }) => seconds * (1 - progress)),
    ...going.slice(projected.length).map(() => each),
  ];
  const ended = runs.filter(({ state }) => state === "done" || state === "failed").length;
  const waiting = Math.max(0, total - ended - going.length);
  const all = rests.reduce((sum, seconds) => sum + seconds, waiting * each);
  return Math.max(all / workers, ...rests, waiting > 0 ? each : 0);
}
