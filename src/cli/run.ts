/** One run of the command line: parse, do, and say how it went. */

import { closeSync } from "node:fs";
import { CommanderError } from "commander";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import { Console } from "./console.ts";
import { type Interruption, interruptible } from "./interruption.ts";
import { useLimits } from "./limit-options.ts";
import { usePlugins } from "./plugin-option.ts";
import { createProgram } from "./program.ts";
import { scarce } from "./scarce.ts";
import { guardStreams } from "./streams.ts";
import { refuseOddOptions } from "./walk-words.ts";

/** 0 done, 1 failed, 2 wrong usage, 3 bad input, 4 done but for parts that failed (finishWith), 130 interrupted. */
const exitCodes = { failure: 1, usage: 2, input: 3 } as const;

/** `watched`: signals end it also where the main thread does not answer. */
export async function run(args: readonly string[], { watched = false } = {}): Promise<number> {
  const console = new Console();
  const tell = ({ text, parts, code }: Failure) => {
    if (text !== undefined) console.problem(text);
    if (args.includes("--json")) console.json({ error: parts });
    return code;
  };
  const interruption = interruptible({
    watched,
    end: (how = "it did not stop by itself and was ended") => {
      const code = tell(interrupted(how));
      // Node would say there that it waits for a debugger, which is how the thread of signals has come here.
      closeSync(2);
      process.exit(code);
    },
  });
  guardStreams((cause) => tell(failed(cause)));
  let exitCode = 0;
  const session = {
    console,
    signal: interruption.signal,
    finishWith: (code: number) => {
      exitCode = code;
    },
  };
  try {
    const words = inOrder(await usePlugins(useLimits(args)));
    const program = await createProgram(session, words);
    refuseOddOptions(program, words);
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (cause) {
    if (cause instanceof CommanderError && cause.exitCode === 0) return 0;
    return tell(failureOf(cause, interruption));
  } finally {
    interruption.close();
  }
}

interface Failure {
  code: number;
  /** Undefined where it was said already. */
  text: string | undefined;
  /** For programs. */
  parts: Omit<ErrorParts, "kind" | "cause"> & { kind: ErrorParts["kind"] | "interrupted" };
}

function failureOf(cause: unknown, { signal }: Interruption): Failure {
  if (cause instanceof CommanderError) {
    const what = cause.message.replace(/^error: /, "");
    // The parser has told it already.
    return { code: exitCodes.usage, text: undefined, parts: { kind: "usage", what } };
  }
  if (signal.aborted) return interrupted();
  return failed(scarce(cause));
}

function failed(cause: unknown): Failure {
  if (cause instanceof CuelabError) {
    const { cause: _, ...parts } = cause.parts;
    return { code: exitCodes[cause.kind], text: cause.message, parts };
  }
  // Not foreseen: the stack is what a report of the bug needs.
  const stack = (cause as Error).stack ?? String(cause);
  const what = "unexpected failure; please report it";
  return { code: 1, text: `${what}\n${stack}`, parts: { kind: "failure", what, got: stack } };
}

function interrupted(how?: string): Failure {
  const what = ["interrupted", how, "nothing half-made passes for finished"].filter(Boolean).join("; ");
  return { code: 130, text: what, parts: { kind: "interrupted", what } };
}

/** `help data make` asks for what `data make --help` does, and -V for what -v does. */
function inOrder(words: readonly string[]): string[] {
  const [first, ...others] = words;
  if (first === "help" && others.length > 1) return [...others, "--help"];
  return first === "-V" ? ["--version", ...others] : [...words];
}
