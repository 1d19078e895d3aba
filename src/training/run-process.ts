/** Runs a training in a process of its own, so that this one stays free for signals, progress and limits. */

import { fork } from "node:child_process";
import { CuelabError } from "../core/errors.ts";
import { needPlugins, pluginsToHand } from "../plugins/at-hand.ts";
import { type RunOrigin, thisCommand } from "../runs/run-log.ts";
import { finishedResults } from "./finished-results.ts";
import { processDied } from "./process-died.ts";
import type { RunResults } from "./results.ts";
import type { FromChild, ToChild } from "./run-messages.ts";
import type { RunResources, RunSpec } from "./run-spec.ts";
import type { EpochRecord, EvaluationProgress, TrainingProgress } from "./train.ts";

export interface RunOptions {
  out: string;
  force: boolean;
  resources: RunResources;
  /** Who asked for it, for the run's log; this process's command unless told. */
  origin?: RunOrigin;
  /** Aborting asks the run to save where it is and end. */
  signal?: AbortSignal;
  /** Save and end after so long. */
  maxMinutes?: number | undefined;
  onProgress?: (progress: TrainingProgress) => void;
  onEvaluation?: (progress: EvaluationProgress) => void;
  onEpoch?: (record: EpochRecord) => void;
  onPhase?: (phase: string) => void;
}

export type RunOutcome = { state: "done"; results: RunResults; trained: boolean } | { state: "stopped" };

const todoWhenDied = "run the same command again: it goes on from the last checkpoint";

export async function runInProcess(spec: RunSpec, options: RunOptions): Promise<RunOutcome> {
  const finished = options.force ? undefined : await finishedResults(spec, options.out);
  if (finished) return { state: "done", results: finished, trained: false };
  options.signal?.throwIfAborted();
  await needPlugins(spec.plugins);
  const child = fork(new URL("./train-process.js", import.meta.url), { serialization: "advanced" });
  const tell = (message: ToChild) => {
    if (child.connected) child.send(message);
  };
  const stop = () => tell({ type: "stop" });
  options.signal?.addEventListener("abort", stop);
  if (options.signal?.aborted) stop();
  const timer = options.maxMinutes === undefined ? undefined : setTimeout(stop, 60_000 * options.maxMinutes);
  // However this process ends, the other must not go on alone.
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  try {
    return await new Promise<RunOutcome>((done, fail) => {
      let outcome: RunOutcome | undefined;
      let failure: Error | undefined;
      child.on("message", (message: FromChild) => {
        switch (message.type) {
          case "progress":
            options.onProgress?.(message.progress);
            break;
          case "evaluation":
            options.onEvaluation?.(message.progress);
            break;
          case "epoch":
            options.onEpoch?.(message.record);
            break;
          case "phase":
            options.onPhase?.(message.phase);
            break;
          case "done":
            outcome = { state: "done", results: message.results, trained: message.trained };
            break;
          case "stopped":
            outcome = { state: "stopped" };
            break;
          case "failed":
            failure = message.parts ? new CuelabError(message.parts) : new Error(message.stack);
            break;
          default:
            message satisfies never;
        }
      });
      child.on("error", fail);
      child.on("close", (code, signal) => {
        if (outcome) done(outcome);
        else fail(failure ?? processDied("the training process died", code, signal, todoWhenDied));
      });
      const { resources, out, force } = options;
      const origin = { command: thisCommand(), ...options.origin };
      tell({ type: "start", spec, resources, out, force, origin, plugins: pluginsToHand() });
    });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
    process.off("exit", kill);
  }
}
