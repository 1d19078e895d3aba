/** One mutant: made, read, and what came of it. */

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { CuelabError } from "../../src/core/errors.ts";
import { Chance } from "./chance.ts";
import { BrokenContent, type FuzzedFormat, noOpinion } from "./fuzzed-format.ts";
import { byteMutators } from "./mutators/bytes.ts";
import { lyingMutators } from "./mutators/lies.ts";

export const outcomes = ["refused", "unharmed", "equal", "form", "unexpected", "wrong"] as const;

/**
 * `refused`: by our error, which names the file. `unharmed`: read as the seed is. `equal`: read as somebody else reads it.
 * `form`: nobody else reads it; counts, ranges and sizes hold. `unexpected`: another exception, or one that names no file.
 * `wrong`: what was read contradicts itself, or what somebody else reads.
 */
export type Outcome = (typeof outcomes)[number];

export interface Judgement {
  outcome: Outcome;
  /** What went wrong, or the first line of the error. */
  note: string;
}

const generalMutators = [...byteMutators, ...lyingMutators];

/** A format's seed, written once, with what the program reads in it. */
export class Seeded {
  readonly format: FuzzedFormat;
  readonly #folder: string;
  readonly #file: string;
  readonly #bytes: Buffer;
  readonly #content: string;
  /** Nothing else belongs to it, and nothing else is copied. */
  readonly #alone: boolean;
  #count = 0;

  private constructor(format: FuzzedFormat, folder: string, file: string, content: string) {
    this.format = format;
    this.#folder = folder;
    this.#file = file;
    this.#bytes = readFileSync(join(folder, "seed", file));
    this.#content = content;
    this.#alone = readdirSync(join(folder, "seed")).join("\n") === file;
  }

  static async write(format: FuzzedFormat, folder: string): Promise<Seeded> {
    const seed = join(folder, "seed");
    mkdirSync(seed, { recursive: true });
    const file = await format.seed(seed);
    const content = await format.read(seed, file);
    // Others take their time to begin, which is none of the first mutant's.
    await format.other?.(seed, file, content).catch(asError);
    return new Seeded(format, folder, file, contentText(content));
  }

  mutant(seed: number, index: number): Buffer {
    const chance = new Chance(seed, this.format.name, index);
    const { mutators } = this.format;
    let bytes = this.#bytes;
    for (let times = chance.happens(0.15) ? 2 : 1; times > 0; times--) {
      const structural = mutators.length > 0 && chance.happens(0.6);
      bytes = chance.pick(structural ? mutators : generalMutators)(bytes, chance);
    }
    return bytes;
  }

  async judge(bytes: Buffer): Promise<Judgement> {
    // A new path each time: some readers remember what they have read.
    const folder = join(this.#folder, `mutant-${this.#count++}`);
    if (this.#alone) mkdirSync(folder);
    else cpSync(join(this.#folder, "seed"), folder, { recursive: true });
    writeFileSync(join(folder, this.#file), bytes);
    await this.format.settle?.(folder, this.#file);
    try {
      return await this.#judgeIn(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  async #judgeIn(folder: string): Promise<Judgement> {
    const { format } = this;
    let ours: unknown;
    try {
      ours = await format.read(folder, this.#file);
    } catch (cause) {
      return judgeError(cause, folder);
    }
    const content = contentText(ours);
    if (content === this.#content) return { outcome: "unharmed", note: "" };
    const theirs = await format.other?.(folder, this.#file, ours).catch(asError);
    if (theirs === undefined || theirs === noOpinion) return { outcome: "form", note: "" };
    if (theirs instanceof Error)
      return {
        outcome: "wrong",
        note: `accepted, where another reader says: ${firstLine(theirs)}; ${difference(content, this.#content)}`,
      };
    const differs = format.differs ?? ((mine, others) => textDifference(mine, others));
    const note = differs(ours, theirs);
    return note === undefined
      ? { outcome: "equal", note: "" }
      : { outcome: "wrong", note: `another reader reads something else: ${note}` };
  }
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

function textDifference(one: unknown, other: unknown): string | undefined {
  const [a, b] = [contentText(one), contentText(other)];
  return a === b ? undefined : difference(a, b);
}

function judgeError(cause: unknown, folder: string): Judgement {
  if (cause instanceof BrokenContent) return { outcome: "wrong", note: cause.message };
  if (!(cause instanceof CuelabError)) {
    const stack = (cause as Error).stack?.split("\n").find((line) => line.includes("/src/")) ?? "";
    return { outcome: "unexpected", note: `${(cause as Error).name}: ${firstLine(cause)} ${stack.trim()}` };
  }
  // Tables may name files that lie elsewhere.
  const named = cause.message.includes(basename(folder)) || isAbsolute(cause.parts.where ?? "");
  if (cause.kind === "failure" || !named)
    return {
      outcome: "unexpected",
      note: `an error that names no file: ${cause.message.replaceAll("\n", " ")}`,
    };
  return { outcome: "refused", note: firstLine(cause) };
}

function firstLine(cause: unknown): string {
  return String((cause as Error).message ?? cause)
    .split("\n")[0]!
    .slice(0, 200);
}

/** Where two texts begin to differ. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const from = Math.max(0, at - 20);
  return `${one.slice(from, at + 40)} ≠ ${other.slice(from, at + 40)}`;
}

/** Numbers that JSON does not know are told apart, too. */
function contentText(content: unknown): string {
  return JSON.stringify(content, (_, value: unknown) => {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value === "number" && !Number.isFinite(value)) return `(${value})`;
    if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
    if (ArrayBuffer.isView(value)) return [...(value as Uint8Array)];
    return value;
  });
}
