/** One command in a folder of its own, disturbed once and then repeated: what it left, and whether the end is what it should be. */

import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { FaultCase } from "./cases.ts";
import { type ChangeKind, type Fault, faultVariable, type Injection } from "./fault.ts";
import { type Digests, digestsIn, finishedIn, halfMadeIn, lostOf, stateOf } from "./tree.ts";

const home = resolve(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../..");
const main = join(home, "dist/program/main.js");
const inject = pathToFileURL(join(home, "dist/test/faults/inject.js")).href;

/** Far longer than any of the commands takes on a busy machine. */
const longestMs = 180_000;

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

/** The command at its place, in a process group of its own. */
export function start(words: readonly string[], cwd: string, injection?: Injection): Started {
  const env = {
    ...process.env,
    ...(injection && {
      NODE_OPTIONS: `--import ${inject}`,
      [faultVariable]: JSON.stringify(injection),
    }),
  };
  const begun = performance.now();
  const child = spawn(process.execPath, [main, ...words], {
    cwd,
    env,
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

export interface CountedChange {
  kind: ChangeKind;
  path: string;
}

/** A case with its inputs made, and what it leaves undisturbed. */
export class Prepared {
  readonly case: FaultCase;
  readonly #folder: string;
  readonly reference: Digests;
  readonly former: Digests;
  readonly changes: readonly CountedChange[];
  readonly ms: number;
  /** States of the folder from which the command has come to its end. */
  readonly #recovered = new Set<string>();

  private constructor(
    of: FaultCase,
    folder: string,
    { reference, former, changes, ms }: Pick<Prepared, "reference" | "former" | "changes" | "ms">,
  ) {
    this.case = of;
    this.#folder = folder;
    this.reference = reference;
    this.former = former;
    this.changes = changes;
    this.ms = ms;
  }

  static async make(of: FaultCase, folder: string): Promise<Prepared> {
    const work = join(folder, "work");
    for (const name of ["inputs", "former", "notes"]) mkdirSync(join(folder, name), { recursive: true });
    of.write?.(join(folder, "inputs"));
    for (const words of of.inputs ?? []) await must(start(words, join(folder, "inputs")));
    for (const words of of.former ?? []) await must(start(words, join(folder, "former")));
    cpSync(join(folder, "former"), work, { recursive: true });
    const notes = join(folder, "notes");
    const { ms } = await must(start(of.words, work, { root: work, notes }));
    const changes = changesIn(notes);
    const [reference, former] = [digestsIn(work, of), digestsIn(join(folder, "former"), of)];
    return new Prepared(of, folder, { reference, former, changes, ms });
  }

  /** A folder as it is before the command: always the same, since some files tell where they lie. */
  begin(): string {
    const work = join(this.#folder, "work");
    rmSync(work, { recursive: true, force: true });
    cpSync(join(this.#folder, "former"), work, { recursive: true });
    return work;
  }

  /** The command under this fault, and what is left given to it again. */
  async disturbed(fault: Fault, at: number): Promise<{ repeated: boolean; problems: string[] }> {
    const work = this.begin();
    const notes = join(this.#folder, "notes");
    rmSync(notes, { recursive: true, force: true });
    mkdirSync(notes);
    const ended = await start(this.case.words, work, { root: work, notes, fault, at }).ended;
    const problems = unclean(ended, fault === "killed" || fault === "torn");
    // What comes next depends on nothing else: all processes are gone.
    const state = stateOf(work, this.case);
    if (this.#recovered.has(state))
      return { repeated: false, problems: [...problems, ...halfMadeIn(work, this)] };
    const after = await this.repeated(work);
    if (after.length === 0) this.#recovered.add(state);
    return { repeated: true, problems: [...problems, ...after] };
  }

  /** What is there, and what the same command makes of it. */
  async repeated(work: string): Promise<string[]> {
    const problems = halfMadeIn(work, this);
    const finished = finishedIn(work, this.case);
    const ended = await start(this.case.words, work).ended;
    if (ended.code !== 0 && !(ended.code === 3 && this.case.refusal?.test(ended.stderr)))
      problems.push(`the repeated command ended with ${ended.signal ?? ended.code}: ${ended.stderr.trim()}`);
    return [...problems, ...this.different(work), ...lostOf(work, finished)];
  }

  /** How the folder is not what the undisturbed command leaves. */
  different(work: string): string[] {
    const [now, should] = [digestsIn(work, this.case), this.reference];
    const names = new Set([...Object.keys(now), ...Object.keys(should)]);
    return [...names]
      .filter((name) => now[name] !== should[name])
      .map((name) => {
        const how =
          now[name] === undefined ? "missing" : should[name] === undefined ? "too many" : "other bytes";
        return `in the end: ${name}: ${how}`;
      });
  }
}

async function must({ ended }: Started): Promise<Ended> {
  const outcome = await ended;
  if (outcome.code !== 0) throw new Error(`undisturbed, a command fails: ${outcome.stderr}`);
  return outcome;
}

function changesIn(notes: string): CountedChange[] {
  return readdirSync(notes)
    .sort((a, b) => Number(a) - Number(b))
    .map((number) => {
      const [kind, ...path] = readlinkSync(join(notes, number)).split(" ");
      return { kind: kind as ChangeKind, path: path.join(" ") };
    });
}

/** A command that was not killed ends well, or with an error that says what to do. */
function unclean({ code, signal, stderr }: Ended, mayBeKilled: boolean): string[] {
  if (stderr.includes("the command did not end")) return ["the disturbed command did not end"];
  if (signal === "SIGKILL" && mayBeKilled) return [];
  // 4: the report tells which parts failed, and why.
  if (code === 0 || (code === 4 && stderr === "")) return [];
  const isOurs = /^error: /m.test(stderr) && !/unexpected failure|^\s+at .*\(.*:\d+:\d+\)/m.test(stderr);
  return isOurs && [1, 3, 4].includes(code ?? 0)
    ? []
    : [`the disturbed command ended with ${signal ?? code}: ${stderr.trim()}`];
}
