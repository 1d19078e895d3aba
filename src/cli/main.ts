#!/usr/bin/env node
/** The `cuelab` command: runs the program and turns what happened into an exit code. */

import { fileURLToPath } from "node:url";
import { endWithWatcher, memoryLimit } from "./memory-limit.ts";

const args = process.argv.slice(2);
/** These work through nothing that could hold them up. */
const isQuick = args.some((word) => ["--help", "-h", "help", "--version", "-v", "-V"].includes(word));

try {
  const limit = memoryLimit();
  endWithWatcher();
  process.exitCode =
    limit === undefined
      ? await import("./run.ts").then(({ run }) => run(args, { watched: !isQuick }))
      : await import("./little-memory.ts").then(({ runWatched }) =>
          runWatched(fileURLToPath(import.meta.url), args, limit),
        );
} catch (cause) {
  // Before there is a program that could tell it in its own way.
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code !== "EMFILE" && code !== "ENFILE") throw cause;
  process.stderr.write(
    `error: too few files may be open to begin\n  got: ${message}\n  try: ulimit -n 4096\n`,
  );
  process.exitCode = 1;
}
