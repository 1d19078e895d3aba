/** The training process: does one run and reports to its parent, which owns signals and progress. */

import { CuelabError } from "../core/errors.ts";
import { RunFolder } from "../store/run-folder.ts";
import type { FromChild, ToChild } from "./run-messages.ts";
import { train } from "./train.ts";

/** Often enough for a moving line, seldom enough to cost nothing. */
const progressMs = 100;

let stopping = false;
// Ctrl-C reaches the whole process group; the parent decides what it means.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// Without a parent there is nobody to report to.
process.on("disconnect", () => process.exit(1));

process.on("message", (message: ToChild) => {
  if (message.type === "stop") stopping = true;
  else void work(message);
});

async function work({ spec, resources, out, force }: Extract<ToChild, { type: "start" }>): Promise<void> {
  let reported = 0;
  try {
    const folder = await RunFolder.open(out, spec, { force });
    const results = await train(spec, resources, folder, {
      onProgress: (progress) => {
        const now = performance.now();
        if (now - reported < progressMs) return;
        reported = now;
        say({ type: "progress", progress });
      },
      onEpoch: (record) => say({ type: "epoch", record }),
      onPhase: (phase) => say({ type: "phase", phase }),
      shouldStop: () => stopping,
    });
    say(results ? { type: "done", results } : { type: "stopped" });
  } catch (cause) {
    if (cause instanceof CuelabError) {
      const { cause: _, ...parts } = cause.parts;
      say({ type: "failed", parts });
    } else say({ type: "failed", stack: (cause as Error).stack ?? String(cause) });
  }
  process.disconnect();
}

function say(message: FromChild): void {
  process.send!(message);
}
