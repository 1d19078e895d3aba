/** The command line within this process: quick, for what does not depend on exit codes and streams. */

import type { Command } from "commander";
import { Console } from "../../src/cli/console.ts";
import { createProgram } from "../../src/cli/program.ts";

/** What the command prints on stdout; its errors are thrown. */
export async function cuelabHere(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const console = new Console();
  console.print = (text) => void printed.push(text);
  console.note = () => undefined;
  const { signal } = new AbortController();
  const program = createProgram({ console, signal, finishWith: () => undefined });
  silence(program);
  await program.parseAsync(words, { from: "user" });
  return printed.join("\n");
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const child of command.commands) silence(child as Command);
}
