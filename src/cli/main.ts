#!/usr/bin/env node
/** The `cuelab` command: runs the program and turns what happened into an exit code. */

const args = process.argv.slice(2);
/** These work through nothing that could hold them up. */
const isQuick = args.some((word) => ["--help", "-h", "help", "--version", "-v", "-V"].includes(word));

try {
  const { run } = await import("./run.ts");
  process.exitCode = await run(args, { watched: !isQuick });
} catch (cause) {
  // Before there is a program that could tell it in its own way.
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code !== "EMFILE" && code !== "ENFILE") throw cause;
  process.stderr.write(
    `error: too few files may be open to begin\n  got: ${message}\n  try: ulimit -n 4096\n`,
  );
  process.exitCode = 1;
}
