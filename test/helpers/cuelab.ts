/** Runs the built program as people do, in a process of its own. */

import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";

const main = resolve(import.meta.dirname, "../../dist/program/main.js");

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Beside the tests' own; undefined takes one away. */
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Runs before the program in the same shell, such as a limit on file sizes. */
  prelude?: string;
  /** Handed the process once it has started. */
  started?: (child: ChildProcess) => void;
}

export function cuelab(
  args: readonly string[],
  { env, cwd, prelude, started }: RunOptions = {},
): Promise<Outcome> {
  const settings = { cwd, env: { ...process.env, NO_COLOR: undefined, ...env } };
  const child =
    prelude === undefined
      ? spawn(process.execPath, [main, ...args], settings)
      : spawn("bash", ["-c", `${prelude}; exec "$@"`, "bash", process.execPath, main, ...args], settings);
  started?.(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString("utf8");
  });
  child.stderr.on("data", (text: Buffer) => {
    stderr += text.toString("utf8");
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code, signal, stdout, stderr }));
  });
}

/** The JSON that a successful run printed. */
export async function cuelabJson<Result>(args: readonly string[], options?: RunOptions): Promise<Result> {
  const outcome = await cuelab([...args, "--json", "--quiet"], options);
  if (outcome.code !== 0) throw new Error(`exit code ${outcome.code}: ${outcome.stderr}`);
  return JSON.parse(outcome.stdout) as Result;
}
