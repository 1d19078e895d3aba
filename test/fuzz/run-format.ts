/** Many mutants of one format, in a process that is ended where it hangs or takes too much memory, and begun again behind that. */

import { fork } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Told } from "./child.ts";
import { type Outcome, outcomes } from "./judge.ts";

/** Of processor time, in all threads: on a busy machine a mutant may have to wait its turn. */
const longestMs = 10_000;
/** Of silence, less what it had to wait for a processor: somebody who waits for what never comes needs none. */
const longestWaitMs = 60_000;
const mostMemory = 1.5 * 2 ** 30;

export interface FuzzResult {
  format: string;
  mutants: number;
  counts: Record<Outcome | "hung", number>;
  /** Failures by what went wrong, with the first mutant of each. */
  failures: Map<string, { index: number; times: number }>;
  /** Largest resident memory, in bytes; 0 where the system does not tell. */
  memory: number;
  seconds: number;
}

export interface FuzzOptions {
  seed: number;
  mutants: number;
  /** No further mutant is begun after so many milliseconds. */
  withinMs?: number | undefined;
  /** What came of the first mutants in an earlier call with the same seed; goes on behind them. */
  begun?: FuzzResult | undefined;
  /** Told now and then, so that hours of work outlive the one who counts them. */
  keep?: (result: FuzzResult) => void;
}

const keptEvery = 250;

/** The built form: processes do not read TypeScript. */
const child = resolve(
  import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"),
  "../../dist/test/fuzz/child.js",
);

export async function runFormat(format: string, options: FuzzOptions): Promise<FuzzResult> {
  const start = performance.now();
  const counts = Object.fromEntries(
    [...outcomes, "hung"].map((outcome) => [outcome, 0]),
  ) as FuzzResult["counts"];
  const result: FuzzResult = options.begun ?? {
    format,
    mutants: 0,
    counts,
    failures: new Map(),
    memory: 0,
    seconds: 0,
  };
  const before = result.seconds;
  const keep = () => {
    result.seconds = before + (performance.now() - start) / 1000;
    options.keep?.(result);
  };
  const end = start + (options.withinMs ?? Number.POSITIVE_INFINITY);
  while (result.mutants < options.mutants && performance.now() < end)
    await runSome(result, { ...options, keep }, end);
  keep();
  return result;
}

/** Until the end, or until one mutant must be given up. */
function runSome(result: FuzzResult, { seed, mutants, keep }: FuzzOptions, end: number): Promise<void> {
  const words = [result.format, String(seed), String(result.mutants), String(mutants)];
  const process = fork(child, words, {
    execArgv: ["--max-old-space-size=1024"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  process.stderr!.on("data", (data: Buffer) => (errors = (errors + data.toString()).slice(-2000)));
  let ready = false;
  let stopped = false;
  let last = performance.now();
  let [lastWork, lastQueued] = [0, 0];
  let isSilent = false;
  const fail = (outcome: "hung" | "unexpected", note: string) => {
    add(result, { index: result.mutants, outcome, note });
  };
  const watch = setInterval(() => {
    // What ends has nothing more to say.
    if (stopped || result.mutants >= mutants) return;
    // A look at so many threads takes longer than a mutant.
    if (!isSilent) lastQueued = queuedMs(process.pid!);
    isSilent = true;
    const memory = residentMemory(process.pid!);
    result.memory = Math.max(result.memory, memory);
    if (memory > mostMemory) {
      stopped = true;
      fail("hung", `more than ${mostMemory / 2 ** 20} MB of memory`);
      process.kill("SIGKILL");
    } else if (ready && workMs(process.pid!) - lastWork > longestMs) {
      stopped = true;
      fail("hung", `longer than ${longestMs / 1000} s of work`);
      process.kill("SIGKILL");
    } else if (
      ready &&
      performance.now() - last - Math.max(0, queuedMs(process.pid!) - lastQueued) > longestWaitMs
    ) {
      stopped = true;
      fail("hung", `silent for longer than ${longestWaitMs / 1000} s`);
      process.kill("SIGKILL");
    }
  }, 200);
  process.on("message", (told: Told | "ready") => {
    if (stopped) return;
    last = performance.now();
    lastWork = workMs(process.pid!);
    isSilent = false;
    if (told === "ready") {
      ready = true;
      return;
    }
    add(result, told);
    if (result.mutants % keptEvery === 0) keep?.(result);
    if (performance.now() >= end) {
      stopped = true;
      process.kill("SIGTERM");
    }
  });
  return new Promise((done, failed) => {
    process.on("exit", (code, signal) => {
      clearInterval(watch);
      if (!ready) failed(new Error(`the seed of ${result.format} cannot be read:\n${errors}`));
      else {
        if (!stopped && code !== 0)
          fail("unexpected", `the process ended with ${signal ?? code}: ${errors.split("\n")[0]}`);
        done();
      }
    });
  });
}

function add(
  result: FuzzResult,
  { index, outcome, note }: Omit<Told, "outcome"> & { outcome: Outcome | "hung" },
): void {
  result.counts[outcome]++;
  result.mutants = index + 1;
  if (!["unexpected", "wrong", "hung"].includes(outcome)) return;
  const key = `${outcome}: ${note.replace(/mutant-\d+|[\w/.-]*cuelab-fuzz-\w+/g, "…")}`;
  const known = result.failures.get(key);
  if (known) known.times++;
  else result.failures.set(key, { index, times: 1 });
}

function residentMemory(pid: number): number {
  try {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Processor time of all threads, in steps of 10 ms; 0 where the system does not tell. */
function workMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

/** How long its threads, and those of the processes that it has begun, were ready and had no processor; 0 where the system does not tell. */
function queuedMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    return threads.reduce((sum, thread) => {
      const queued = Number(readFileSync(`${thread}/schedstat`, "utf8").split(" ")[1]) / 1e6;
      const children = readFileSync(`${thread}/children`, "utf8").split(" ").filter(Boolean);
      return sum + queued + children.reduce((more, child) => more + queuedMs(Number(child)), 0);
    }, 0);
  } catch {
    return 0;
  }
}
