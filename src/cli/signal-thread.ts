/** The thread that sees signals while the main thread is busy, and ends the process where that does not answer. */

import { constants } from "node:os";
import { workerData } from "node:worker_threads";
import { endKey, type SignalThreadData, signals } from "./interruption.ts";

/** Node's own handle of a signal. `process.on` has none in threads, while the system's library tells every thread that asks. */
interface SignalHandle {
  onsignal: () => void;
  start: (number: number) => void;
}

interface Bindings {
  binding: (name: "signal_wrap") => { Signal: new () => SignalHandle };
}

const { noticed, patience } = workerData as SignalThreadData;
let first: number | undefined;

process.noDeprecation = true;
const { Signal } = (process as unknown as Bindings).binding("signal_wrap");
for (const name of signals) {
  const handle = new Signal();
  handle.onsignal = onSignal;
  handle.start(constants.signals[name]);
}

function onSignal(): void {
  const now = performance.now();
  if (first === undefined) {
    first = now;
    setTimeout(() => {
      if (Atomics.load(noticed, 0) === 0) void end();
    }, patience.answerMs);
    // A little later than the main thread itself does it.
    setTimeout(() => void end(), patience.stopMs + patience.secondMs);
  } else if (now - first > patience.sameMs) setTimeout(() => void end(), patience.secondMs);
}

/** On the main thread, in the middle of what it does, so that all that waits for the end of the process has its turn. */
async function end(): Promise<void> {
  // Where the system itself holds that thread, nothing but this reaches it.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), patience.endMs);
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", { expression: `globalThis[Symbol.for("${endKey}")]()` });
}
