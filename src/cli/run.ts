/** One run of the command line: parse, do, and say how it went. */

import { CommanderError } from "commander";
import { CuelabError } from "../core/errors.ts";
import { Console } from "./console.ts";
import { usePlugins } from "./plugin-option.ts";
import { createProgram } from "./program.ts";

/** 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 done but for parts that failed (finishWith), 130 interrupted. */
const exitCodes = { failure: 1, usage: 2, input: 3 } as const;

export async function run(args: readonly string[]): Promise<number> {
  const console = new Console();
  const interruption = new AbortController();
  const interrupt = () => {
    // A second Ctrl-C does not wait for the clean-up.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  // `cuelab data list | head` closes the pipe early, which is no failure.
  process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code === "EPIPE") process.exit(0);
    throw cause;
  });
  // Nobody reads the progress any more, but the work goes on.
  process.stderr.on("error", () => {});
  let exitCode = 0;
  const session = {
    console,
    signal: interruption.signal,
    finishWith: (code: number) => {
      exitCode = code;
    },
  };
  try {
    const words = await usePlugins(args);
    const program = await createProgram(session, words);
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? 0 : 2;
    if (interruption.signal.aborted) {
      console.problem("interrupted; nothing half-made passes for finished");
      return 130;
    }
    if (cause instanceof CuelabError) {
      console.problem(cause.message);
      return exitCodes[cause.kind];
    }
    // Not foreseen: the stack is what a report of the bug needs.
    console.problem(`unexpected failure; please report it\n${(cause as Error).stack ?? String(cause)}`);
    return 1;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}
