/** The training process: does one run and reports to its parent, which owns signals and progress. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { needPlugins, takePlugins } from "../plugins/at-hand.ts";
import { CoreClock, timeFile } from "../runs/core-time.ts";
import { RunFolder } from "../runs/run-folder.ts";
import { logEnd, logStart } from "../runs/run-log.ts";
import { finishedResults } from "./finished-results.ts";
import type { FromChild, ToChild } from "./run-messages.ts";
import { train } from "./train.ts";

/** Often enough for a moving line, seldom enough to cost nothing. */
const progressMs = 100;
const evaluationMs = 1000;
/** What a killed process has used since is in no account. */
const timeMs = 10_000;

let stopping = false;
/** Without a parent there is nobody to report to, which is a failure until all is said. */
let exitCode = 1;
// Signals may reach the whole process group; the parent decides what they mean.
for (const name of ["SIGHUP", "SIGINT", "SIGTERM"]) process.on(name, () => {});
process.on("disconnect", () => process.exit(exitCode));

process.on("message", (message: ToChild) => {
  if (message.type === "stop") stopping = true;
  else void report(message);
});

/** Does the run, and ends this process once the parent has the last word of it. */
async function report(start: Extract<ToChild, { type: "start" }>): Promise<void> {
  const last = await work(start).catch(failure);
  await new Promise<void>((sent) => {
    process.send!(last, undefined, undefined, () => sent());
  });
  if (last.type !== "failed") exitCode = 0;
  process.disconnect();
}

async function work({
  spec,
  resources,
  out,
  force,
  origin,
  plugins,
}: Extract<ToChild, { type: "start" }>): Promise<FromChild> {
  await takePlugins(plugins);
  await needPlugins(spec.plugins);
  const folder = await RunFolder.open(out, spec, { force });
  try {
    // Another one, perhaps on another machine, may have finished it while this one waited to get in.
    const finished = force ? undefined : await finishedResults(spec, out);
    if (finished) return { type: "done", results: finished, trained: false };
    return await logged({ spec, resources, out, force, origin }, folder);
  } finally {
    folder.close();
  }
}

/** Trains, and tells the run's log and account of time about it. */
async function logged(
  { spec, resources, out, force, origin }: Omit<Extract<ToChild, { type: "start" }>, "type" | "plugins">,
  folder: RunFolder,
): Promise<FromChild> {
  const clock = await CoreClock.begin(join(out, timeFile));
  // A disk that is full ends the run by its own files, not by what is told of it.
  const log = (written: Promise<void>) => written.catch(() => {});
  await log(logStart(out, origin, { force }));
  const [progressIsDue, evaluationIsDue, timeIsDue] = [progressMs, evaluationMs, timeMs].map(every);
  try {
    const results = await train(spec, resources, folder, {
      onProgress: (progress) => {
        if (progressIsDue!()) say({ type: "progress", progress });
      },
      onEvaluation: (progress) => {
        if (evaluationIsDue!()) say({ type: "evaluation", progress });
      },
      onEpoch: (record) => {
        say({ type: "epoch", record });
        if (timeIsDue!()) void clock.save().catch(() => {});
      },
      onPhase: (phase) => say({ type: "phase", phase }),
      // What is finished has an account, also where this process is killed right afterwards.
      onFinishing: () => log(clock.save()),
      shouldStop: () => stopping,
    });
    await Promise.all([log(clock.save()), log(logEnd(out, results ? "finished" : "stopped"))]);
    return results ? { type: "done", results, trained: true } : { type: "stopped" };
  } catch (cause) {
    const why = cause instanceof CuelabError ? cause.parts.what : String(cause);
    await Promise.all([log(clock.save()), log(logEnd(out, "failed", why))]);
    throw cause;
  }
}

function failure(cause: unknown): FromChild {
  if (!(cause instanceof CuelabError))
    return { type: "failed", stack: (cause as Error).stack ?? String(cause) };
  const { cause: _, ...parts } = cause.parts;
  return { type: "failed", parts };
}

/** True at most once in so many milliseconds. */
function every(ms: number): () => boolean {
  let last = 0;
  return () => {
    const now = performance.now();
    if (now - last < ms) return false;
    last = now;
    return true;
  };
}

function say(message: FromChild): void {
  process.send!(message);
}
