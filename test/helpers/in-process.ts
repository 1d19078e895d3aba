/** The command line within this process: quick, for what does not depend on exit codes and streams. */

import type { Command } from "commander";
import { Console } from "../../src/cli/console.ts";
import { createProgram } from "../../src/cli/program.ts";

/** What the command prints on stdout; its errors are thrown. */
export async function cuelabHere(...words: string[]): Promise<string> {
  return (await cuelabHereWithNotes(...words)).out;
}

/** With what it notes on stderr. */
export async function cuelabHereWithNotes(...words: string[]): Promise<{ out: string; notes: string }> {
  const [out, notes]: [string[], string[]] = [[], []];
  const console = new Console();
  console.print = (text) => void out.push(text);
  console.note = (text) => void notes.push(text);
  const { signal } = new AbortController();
  const program = await createProgram({ console, signal, finishWith: () => undefined }, words);
  silence(program);
  await program.parseAsync(words, { from: "user" });
  return { out: out.join("\n"), notes: notes.join("\n") };
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const child of command.commands) silence(child as Command);
}
