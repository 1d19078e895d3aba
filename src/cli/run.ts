/** One run of the command line: parse, do, and say how it went. */

import { CommanderError } from "commander";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import { Console } from "./console.ts";
import { usePlugins } from "./plugin-option.ts";
import { createProgram } from "./program.ts";
import { refuseOddOptions } from "./walk-words.ts";

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
    const words = inOrder(await usePlugins(args));
    const program = await createProgram(session, words);
    refuseOddOptions(program, words);
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (cause) {
    if (cause instanceof CommanderError && cause.exitCode === 0) return 0;
    const { code, text, parts } = failureOf(cause, interruption.signal.aborted);
    // The parser has told its own already.
    if (!(cause instanceof CommanderError)) console.problem(text);
    if (args.includes("--json")) console.json({ error: parts });
    return code;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

interface Failure {
  code: number;
  text: string;
  /** For programs. */
  parts: Omit<ErrorParts, "kind" | "cause"> & { kind: ErrorParts["kind"] | "interrupted" };
}

function failureOf(cause: unknown, interrupted: boolean): Failure {
  if (cause instanceof CommanderError) {
    const what = cause.message.replace(/^error: /, "");
    return { code: exitCodes.usage, text: what, parts: { kind: "usage", what } };
  }
  if (interrupted) {
    const what = "interrupted; nothing half-made passes for finished";
    return { code: 130, text: what, parts: { kind: "interrupted", what } };
  }
  if (cause instanceof CuelabError) {
    const { cause: _, ...parts } = cause.parts;
    return { code: exitCodes[cause.kind], text: cause.message, parts };
  }
  // Not foreseen: the stack is what a report of the bug needs.
  const stack = (cause as Error).stack ?? String(cause);
  const what = "unexpected failure; please report it";
  return { code: 1, text: `${what}\n${stack}`, parts: { kind: "failure", what, got: stack } };
}

/** `help data make` asks for what `data make --help` does, and -V for what -v does. */
function inOrder(words: readonly string[]): string[] {
  const [first, ...others] = words;
  if (first === "help" && others.length > 1) return [...others, "--help"];
  return first === "-V" ? ["--version", ...others] : [...words];
}
