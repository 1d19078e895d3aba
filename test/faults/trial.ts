/** One command in a folder of its own, disturbed once and then repeated: what it left, and whether the end is what it should be. */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FaultCase } from "./cases.ts";
import { copyTree } from "./copy-tree.ts";
import type { ChangeKind, Fault } from "./fault.ts";
import { type Ended, type Host, must, start } from "./processes.ts";
import { type Digests, digestsIn, finishedIn, halfMadeIn, hasOwner, lostOf, stateOf } from "./tree.ts";

export interface CountedChange {
  kind: ChangeKind;
  path: string;
}

/** What there is on the disk when all processes are killed: before a change, or in the middle of it. */
export interface KilledState {
  digest: string;
  /** A copy of it. */
  folder: string;
}

export interface Disturbed {
  repeated: boolean;
  problems: string[];
}

/** A case with its inputs made, and what it leaves undisturbed. */
export class Prepared {
  readonly case: FaultCase;
  readonly #folder: string;
  readonly reference: Digests;
  readonly former: Digests;
  readonly changes: readonly CountedChange[];
  readonly ms: number;
  /** By number, and by number with `-torn` behind. */
  readonly #states: ReadonlyMap<string, KilledState>;
  /** States of the folder from which the command has come to its end. */
  readonly #recovered = new Set<string>();

  private constructor(
    of: FaultCase,
    folder: string,
    known: Pick<Prepared, "reference" | "former" | "changes" | "ms"> & { states: Map<string, KilledState> },
  ) {
    this.case = of;
    this.#folder = folder;
    this.reference = known.reference;
    this.former = known.former;
    this.changes = known.changes;
    this.ms = known.ms;
    this.#states = known.states;
  }

  /** The command is given once undisturbed, and all that would be there after a kill is kept on the way. */
  static async make(of: FaultCase, folder: string): Promise<Prepared> {
    const work = join(folder, "work");
    for (const name of ["inputs", "former", "notes"]) mkdirSync(join(folder, name), { recursive: true });
    of.write?.(join(folder, "inputs"));
    for (const words of of.inputs ?? []) await must(start(words, join(folder, "inputs")).ended);
    for (const words of of.former ?? []) await must(start(words, join(folder, "former")).ended);
    copyTree(join(folder, "former"), work);
    const { ms } = await must(start(of.words, work).ended);
    const [reference, former] = [digestsIn(work, of), digestsIn(join(folder, "former"), of)];
    rmSync(work, { recursive: true });
    copyTree(join(folder, "former"), work);
    const [notes, kept] = [join(folder, "notes"), join(folder, "states")];
    await must(start(of.words, work, { root: work, notes, states: kept }).ended);
    const made = new Prepared(of, folder, {
      reference,
      former,
      changes: changesIn(notes),
      ms,
      states: statesIn(kept, of),
    });
    const other = made.different(work);
    if (other.length > 0) throw new Error(`${of.name} is never twice the same: ${other.join("; ")}`);
    return made;
  }

  get #work(): string {
    return join(this.#folder, "work");
  }

  /** A folder as it is before the command: always the same, since some files tell where they lie. */
  begin(from = join(this.#folder, "former")): string {
    rmSync(this.#work, { recursive: true, force: true });
    copyTree(from, this.#work);
    return this.#work;
  }

  /** What is on the disk when all is killed before this change, or in the middle of it. */
  stateAt(fault: "killed" | "torn", at: number): KilledState {
    return this.#states.get(fault === "torn" ? `${at}-torn` : String(at))!;
  }

  #isKept(digest: string): boolean {
    return [...this.#states.values()].some((state) => state.digest === digest);
  }

  /** The command under this fault, and what is left given to it again, if that was not there before. */
  async disturbed(fault: Fault, at: number, host: Host): Promise<Disturbed> {
    if (fault === "killed" || fault === "torn") {
      const { digest, folder } = this.stateAt(fault, at);
      if (this.#recovered.has(digest)) return { repeated: false, problems: [] };
      return this.#recover(this.begin(folder), digest, host);
    }
    const work = this.begin();
    const ended = await host.give(this.case.words, work, { root: work, notes: this.#notes(), fault, at });
    return this.#after(work, unclean(ended, false), host);
  }

  /** The same, with a process of its own for each command, which also is killed where that is the fault. */
  async disturbedAlone(fault: Fault, at: number): Promise<Disturbed> {
    const work = this.begin();
    const given = { root: work, notes: this.#notes(), fault, at };
    const ended = await start(this.case.words, work, given).ended;
    const isKilled = fault === "killed" || fault === "torn";
    const problems = unclean(ended, isKilled);
    // Some are never twice the same on the way.
    // Not always of this change: what is saved now and then has other numbers each time.
    if (isKilled && !this.case.varies && !this.#isKept(stateDigest(work, this.case)))
      problems.push("what a real kill leaves is none of the states that were kept");
    return { repeated: true, problems: [...problems, ...(await this.repeated(work))] };
  }

  async #after(work: string, problems: string[], host: Host): Promise<Disturbed> {
    const digest = stateDigest(work, this.case);
    if (this.#recovered.has(digest)) return { repeated: false, problems };
    // Another process comes next, and whoever left something of its own is gone by then.
    if (hasOwner(work)) await host.end();
    const after = await this.#recover(work, digest, host);
    return { ...after, problems: [...problems, ...after.problems] };
  }

  async #recover(work: string, digest: string, host: Host): Promise<Disturbed> {
    const problems = await this.repeated(work, host);
    if (problems.length === 0) this.#recovered.add(digest);
    return { repeated: true, problems };
  }

  #notes(): string {
    const notes = join(this.#folder, "notes");
    rmSync(notes, { recursive: true, force: true });
    // Another name each time: who keeps count begins anew.
    const named = `${notes}-${this.#trial++}`;
    rmSync(`${notes}-${this.#trial - 2}`, { recursive: true, force: true });
    mkdirSync(named);
    return named;
  }
  #trial = 0;

  /** What is there, and what the same command makes of it. */
  async repeated(work: string, host?: Host): Promise<string[]> {
    const problems = halfMadeIn(work, this);
    const finished = finishedIn(work, this.case);
    const { words, refusal } = this.case;
    const ended = await (host?.give(words, work) ?? start(words, work).ended);
    if (ended.code !== 0 && !(ended.code === 3 && refusal?.test(ended.stderr)))
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

function stateDigest(work: string, of: FaultCase): string {
  return createHash("sha256").update(stateOf(work, of)).digest("hex");
}

/** Of equal ones one copy stays. */
function statesIn(kept: string, of: FaultCase): Map<string, KilledState> {
  const found = new Map<string, KilledState>();
  for (const name of readdirSync(kept).filter((each) => /^\d/.test(each))) {
    const digest = stateDigest(join(kept, name), of);
    const folder = join(kept, digest);
    if (existsSync(folder)) rmSync(join(kept, name), { recursive: true });
    else renameSync(join(kept, name), folder);
    found.set(name, { digest, folder });
  }
  return found;
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
  if (/unexpected failure/.test(stderr)) return [`the disturbed command: ${stderr.trim()}`];
  // 4: the report tells which parts failed, and why.
  if (code === 0 || (code === 4 && stderr === "")) return [];
  const isOurs = /^error: /m.test(stderr) && !/^\s+at .*\(.*:\d+:\d+\)/m.test(stderr);
  return isOurs && [1, 3, 4].includes(code ?? 0)
    ? []
    : [`the disturbed command ended with ${signal ?? code}: ${stderr.trim()}`];
}
