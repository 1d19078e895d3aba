/** The command line within this process: quick, for what needs no process of its own. */

import type { Command } from "commander";
import { vi } from "vitest";
import { Console } from "../../src/cli/console.ts";
import { createProgram } from "../../src/cli/program.ts";
import { run } from "../../src/cli/run.ts";

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** One at a time: they share streams and the working folder, also with one whose test has run out of time. */
let before: Promise<unknown> = Promise.resolve();

/**
 * All of a run: its streams, and what it ends with. A process of its own loads half a second of code; what is about neither
 * processes nor the built program is asked here.
 */
export function ranHere(args: readonly string[], options: { cwd?: string } = {}): Promise<Ran> {
  const ran = before.then(() => runNow(args, options));
  before = ran.catch(() => {});
  return ran;
}

async function runNow(args: readonly string[], { cwd }: { cwd?: string }): Promise<Ran> {
  const said = { stdout: "", stderr: "" };
  const home = process.cwd();
  if (cwd !== undefined) process.chdir(cwd);
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      said[stream] += String(text);
      return true;
    }),
  );
  try {
    return { code: await run(args), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(home);
  }
}

/** The JSON that a successful run printed. */
export async function jsonHere<Result>(args: readonly string[], options?: { cwd?: string }): Promise<Result> {
  const { code, stdout, stderr } = await ranHere([...args, "--json", "--quiet"], options);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout) as Result;
}

/** What the command prints on stdout; its errors are thrown. */
export async function cuelabHere(...words: string[]): Promise<string> {
  return (await cuelabHereWithNotes(...words)).out;
}

/** With what it notes on stderr. */
export async function cuelabHereWithNotes(...words: string[]): Promise<{ out: string; notes: string }> {
  const [out, notes]: [string[], string[]] = [[], []];
  const console = new Console();
  console.print = (text) => void out.push(text);
  console.data = (text) => void out.push(text);
  console.note = (text) => void notes.push(text);
  const { signal } = new AbortController();
  const program = await createProgram({ console, signal, finishWith: () => undefined }, words);
  silence(program);
  await program.parseAsync(words, { from: "user" });
  return { out: out.join("\n"), notes: notes.join("\n") };
}

/** Every command, to look at. */
export function programHere(): Promise<Command> {
  const { signal } = new AbortController();
  return createProgram({ console: new Console(), signal, finishWith: () => undefined }, []);
}

function silence(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const child of command.commands) silence(child as Command);
}
