/** Streams that nobody reads any more, or that cannot be written to. */

import { CuelabError } from "../core/errors.ts";
import { diskError } from "../disk/disk-error.ts";

/** Says the failure and gives the exit code. */
type Tell = (failure: unknown) => number;

/** Of the run that began last: a stream may fail after its run has ended, so that none takes its guard away. */
let current: Tell | undefined;

export function guardStreams(tell: Tell): void {
  const isGuarded = current !== undefined;
  current = tell;
  if (isGuarded) return;
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    // `cuelab data list | head` closes the pipe early, which is no failure.
    if (cause.code === "EPIPE") process.exit(0);
    const problem = diskError(cause, "standard output");
    const what = problem instanceof CuelabError ? problem.parts.what : cause.message;
    process.exit(current!(answerLost(what, cause)));
  });
  // Nobody reads the progress any more, but the work goes on.
  process.stderr.on("error", () => {});
}

function answerLost(what: string, cause: NodeJS.ErrnoException): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `the answer could not be written: ${what}`,
    where: "standard output",
    got: cause.message,
    todo: "give the command again and send its answer elsewhere; files that it was asked for and has made stay",
    cause,
  });
}
