/** The program's commands: each in a process of its own, or one after the other in a host. */

import { type ChildProcess, fork, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { faultVariable, type Injection, statesVariable } from "./fault.ts";
import type { FromHost, ToHost } from "./host.ts";

const home = resolve(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../..");
const main = join(home, "dist/program/main.js");
const built = (name: string) => join(home, "dist/test/faults", name);
const inject = pathToFileURL(built("inject.js")).href;

/** Far longer than any of the commands takes on a busy machine. */
const longestMs = 600_000;

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  ms: number;
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Ended>;
}

/** `states`: instead of a fault, copies of all that is there go to this folder. */
export interface Given extends Injection {
  states?: string;
}

/** The command at its place, in a process group of its own. */
export function start(words: readonly string[], cwd: string, given?: Given): Started {
  const begun = performance.now();
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env: given === undefined ? process.env : injected(given),
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString("utf8")));
  const watch = setTimeout(() => {
    stderr += "\nthe command did not end";
    process.kill(-child.pid!, "SIGKILL");
  }, longestMs);
  const ended = new Promise<Ended>((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => {
      clearTimeout(watch);
      done({ code, signal, stderr, ms: performance.now() - begun });
    });
  });
  return { child, ended };
}

function injected({ states, ...injection }: Given): NodeJS.ProcessEnv {
  const control = `${injection.notes}.json`;
  writeFileSync(control, JSON.stringify(injection));
  return { ...hooked(control), ...(states !== undefined && { [statesVariable]: states }) };
}

function hooked(control: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_OPTIONS: `--import ${inject}`, [faultVariable]: control };
}

export async function must(ended: Promise<Ended>): Promise<Ended> {
  const outcome = await ended;
  if (outcome.code !== 0) throw new Error(`undisturbed, a command fails: ${outcome.stderr}`);
  return outcome;
}

/** A process that takes commands one after the other; begun when there is something to do, and again where it is gone. */
export class Host {
  readonly #control: string;
  #child: Promise<ChildProcess> | undefined;

  constructor(folder: string) {
    this.#control = join(folder, "control.json");
  }

  async give(words: readonly string[], cwd: string, injection?: Injection): Promise<Ended> {
    if (injection === undefined) rmSync(this.#control, { force: true });
    else writeFileSync(this.#control, JSON.stringify(injection));
    const begun = performance.now();
    this.#child ??= this.#begin();
    const child = await this.#child;
    const { code, signal, stderr } = await new Promise<Omit<Ended, "ms">>((done) => {
      const watch = setTimeout(() => {
        void this.end();
        done({ code: null, signal: null, stderr: "the command did not end" });
      }, longestMs);
      const over = (ended: Omit<Ended, "ms">) => {
        clearTimeout(watch);
        child.removeAllListeners("message").removeAllListeners("close");
        done(ended);
      };
      child.on("message", (ended: FromHost) => over({ ...ended, signal: null }));
      child.on("close", (gone: number | null, by: NodeJS.Signals | null) => {
        this.#child = undefined;
        over({ code: gone, signal: by, stderr: "the process of many commands has ended" });
      });
      child.send({ words, cwd } satisfies ToHost);
    });
    return { code, signal, stderr, ms: performance.now() - begun };
  }

  /** With its children. Locks that it left are those of a dead process then. */
  async end(): Promise<void> {
    const child = await this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const closed = new Promise((done) => child.once("close", done));
    process.kill(-child.pid!, "SIGKILL");
    await closed;
  }

  #begin(): Promise<ChildProcess> {
    const child = fork(built("host.js"), [main], {
      env: hooked(this.#control),
      detached: true,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    return new Promise((done, fail) => {
      child.once("message", () => {
        child.removeAllListeners("close");
        done(child);
      });
      child.once("close", (code) => fail(new Error(`the process of many commands ended with ${code}`)));
    });
  }
}
