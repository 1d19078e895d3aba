/**
 * A process in which the program's commands are given one after the other, as it costs a hundred times less than a process for each.
 * What the program starts as processes of its own are kept for the next command in the same way (`kept-child.ts`). Where a process must
 * die, or be another one than before, it is none for that: see `processes.ts`.
 */

import childProcess, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { endTimers, knowTimers, untilIdle } from "./idle.ts";

export interface ToHost {
  words: readonly string[];
  cwd: string;
}

export interface FromHost {
  code: number;
  stderr: string;
}

const main = process.argv[2]!;
const keep = pathToFileURL(join(import.meta.dirname, "kept-child.js")).href;
const fork = childProcess.fork;

/** Begun for an earlier command, by what they run, and free. */
const free = new Map<string, ChildProcess[]>();
/** Of this command. */
const busy = new Set<KeptChild>();

/** What the program takes for a process of its own. */
class KeptChild extends EventEmitter {
  connected = true;
  readonly #module: string;
  readonly #child: ChildProcess;
  /** What it has been told, less what it has answered for good. */
  #open = 0;
  #isStopping = false;
  readonly #listener = (message: { kept?: "done"; type?: string }) => {
    if (message.kept === "done") this.#leave(true);
    else {
      if (message.type === "free" || message.type === "failed") this.#open--;
      this.emit("message", message);
    }
  };
  readonly #died = (code: number | null, signal: string | null) => {
    this.#leave(false, code, signal);
  };

  constructor(module: URL) {
    super();
    this.#module = module.href;
    const given = { serialization: "advanced" as const, execArgv: ["--import", keep] };
    this.#child = free.get(this.#module)?.pop() ?? fork(module, given);
    this.#child.on("message", this.#listener);
    this.#child.on("close", this.#died);
    this.#child.send({ kept: "begin", cwd: process.cwd(), argv: process.argv });
    busy.add(this);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  send(message: { type?: string }): boolean {
    this.#open++;
    if (message.type === "stop") this.#isStopping = true;
    return this.#child.send(message);
  }

  /** One that waits for more to do has nothing in hand that a kill could cut off. */
  kill(signal: NodeJS.Signals): boolean {
    if (!this.connected) return false;
    if (this.#open > 0) return this.#child.kill(signal);
    this.connected = false;
    this.#child.send({ kept: "end" });
    return true;
  }

  #leave(isAlive: boolean, code: number | null = 0, signal: string | null = null): void {
    if (!busy.delete(this)) return;
    this.connected = false;
    this.#child.off("message", this.#listener);
    this.#child.off("close", this.#died);
    if (isAlive && this.#isStopping) this.#child.kill("SIGKILL");
    else if (isAlive) free.set(this.#module, [...(free.get(this.#module) ?? []), this.#child]);
    this.emit("exit", code, signal);
    this.emit("close", code, signal);
  }
}

childProcess.fork = ((module: URL) => new KeptChild(module)) as unknown as typeof fork;
syncBuiltinESMExports();

let said = "";
process.stdout.write = () => true;
process.stderr.write = (text: string | Uint8Array) => {
  said += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  return true;
};
process.setMaxListeners(0);
for (const event of ["unhandledRejection", "uncaughtException"])
  process.on(event, (cause: unknown) => {
    said += `error: unexpected failure, of which nobody takes notice\n${(cause as Error)?.stack ?? String(cause)}\n`;
  });

knowTimers();

/** The built program without its entry, which would run at once. */
const module = /import\("(\.\/run-[^"]+)"\)/.exec(readFileSync(main, "utf8"))![1]!;
const { run } = (await import(pathToFileURL(join(dirname(main), module)).href)) as {
  run: (words: readonly string[]) => Promise<number>;
};

process.on("message", ({ words, cwd }: ToHost) => {
  void give(words, cwd).then((ended) => process.send!(ended));
});
process.on("disconnect", () => process.exit(0));
process.send!("ready");

async function give(words: readonly string[], cwd: string): Promise<FromHost> {
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...words];
  said = "";
  const code = await run(words);
  await untilIdle();
  // A process would have taken them with it.
  for (const child of busy) child.kill("SIGKILL");
  while (busy.size > 0) await wait(2);
  endTimers();
  await renumber();
  return { code, stderr: said };
}

/** Parts of figures are numbered on and on within a process; the next command begins anew, whatever became of this one's figures. */
async function renumber(): Promise<void> {
  const { resetSVGDefIds } = (await import("vega")) as unknown as { resetSVGDefIds: () => void };
  resetSVGDefIds();
}
