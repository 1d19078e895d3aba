/**
 * The runtime's telemetry, turned off: left alone it keeps a device id and a database in the home folder, logs in the
 * temporary one, and uploads them. It asks the environment once, when the first session is made.
 */

import { isMainThread } from "node:worker_threads";
import { CuelabError } from "../core/errors.ts";

const variable = "ORT_DISABLE_TELEMETRY";

// A value that is there already is people's own, even an empty one. Only the main thread's `process.env` is the process's.
if (isMainThread) process.env[variable] ??= "1";

/** Throws in a thread that was started before anybody decided: it has a copy of the environment, which the runtime does not see. */
export function checkTelemetryDecided(): void {
  if (process.env[variable] !== undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: "the runtime's telemetry cannot be turned off from a worker thread",
    expected: `${variable} in the environment of the process`,
    todo: `import cuelab in the main thread before the worker is started, or start the process with ${variable}=1`,
  });
}
