/** What lies in a folder: every file's digest, what is finished, and what only looks so. */

import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isPartial } from "../../src/disk/partial-name.ts";
import type { FaultCase } from "./cases.ts";

/** By path; of what a clock decides, only that it is there. */
export type Digests = Record<string, string>;

/** What something has cost, and when it was done, is never the same twice. */
const clocked = new Set(["time.json", "log.jsonl"]);

/** Files that say that all around them is finished. */
const marks = new Set(["manifest.json", "dataset.json", "features.json"]);

export function digestsIn(folder: string, { clocked: told }: Pick<FaultCase, "clocked">): Digests {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const isClocked = (name: string) => clocked.has(basename(name)) || told?.test(name) === true;
  const digest = (name: string) => digestOf(join(folder, name), isClocked(name));
  return Object.fromEntries(names.map((name) => [name, digest(name)]));
}

function digestOf(path: string, isClocked: boolean): string {
  if (!lstatSync(path).isFile()) return "a folder";
  if (isClocked) return "by the clock";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** All that is there, in one text: of half-made things and locks without the numbers of those who made them, who are gone. */
export function stateOf(work: string, of: Pick<FaultCase, "clocked">): string {
  const states = Object.entries(digestsIn(work, of)).map(([name, digest]) => [
    name.replaceAll(/(\.cuelab-partial-)[^/]*?-\d+-\d+-\w+/g, "$1"),
    digest === "a folder" ? digest : stateOfFile(join(work, name), locks.test(name) ? "lock" : digest),
  ]);
  return states
    .map((state) => JSON.stringify(state))
    .sort()
    .join("\n");
}

function stateOfFile(path: string, digest: string): string {
  if (digest !== "lock" && digest !== "by the clock") return digest;
  const text = readFileSync(path, "utf8");
  if (digest === "lock")
    return text.endsWith("\n") ? "a whole lock" : text === "" ? "an empty lock" : "half a lock";
  // Whatever the times in it are.
  return text.replaceAll(/\d+(\.\d+)?(e-\d+)?/g, "0");
}

interface Known {
  case: FaultCase;
  reference: Digests;
  former: Digests;
}

/**
 * Every file under a name of its own is what the undisturbed command leaves there, or what was there before; and where a mark says that
 * a folder is finished, nothing is missing from it.
 */
export function halfMadeIn(work: string, { case: of, reference, former }: Known): string[] {
  const { grows } = of;
  const now = Object.fromEntries(Object.entries(digestsIn(work, of)).filter(([name]) => !isHidden(name)));
  const problems = Object.keys(now)
    .filter((name) => now[name] !== reference[name] && now[name] !== former[name] && !grows?.test(name))
    .map((name) => `${name} is neither the old nor the new one`);
  for (const mark of Object.keys(now).filter((name) => marks.has(basename(name)))) {
    const should = now[mark] === reference[mark] ? reference : former;
    const inside = dirname(mark) === "." ? "" : `${dirname(mark)}/`;
    for (const name of Object.keys(should).filter((each) => each.startsWith(inside)))
      if (now[name] === undefined && !clocked.has(basename(name)))
        problems.push(`${mark} is there, and ${name} is not`);
  }
  return problems;
}

/** Also those that do not have their name yet. */
const locks = /\.(cuelab-)?lock(\.takeover)?(\.cuelab-partial-[^/]*)?$/;

/** Whether something is there that tells whose it is: of one that is still alive, another process would let it be. */
export function hasOwner(work: string): boolean {
  return readdirSync(work, { recursive: true, encoding: "utf8" }).some(isHidden);
}

/** Half-made things and locks have names by which everybody knows them. */
function isHidden(path: string): boolean {
  return path.split("/").some((name) => isPartial(name) || locks.test(name));
}

/** Which files the marks are: by number and time, so that one that was made again is told from it. */
export type Finished = Map<string, string>;

export function finishedIn(work: string, of: FaultCase): Finished {
  const { isKept = () => true } = of;
  const found = Object.keys(digestsIn(work, of)).filter(
    (name) => !isHidden(name) && marks.has(basename(name)) && isKept(name),
  );
  return new Map(found.map((name) => [name, identity(join(work, name))]));
}

export function lostOf(work: string, finished: Finished): string[] {
  return [...finished]
    .filter(([name, was]) => !existsSync(join(work, name)) || identity(join(work, name)) !== was)
    .map(([name]) => `${name} was finished, and was made again`);
}

function identity(path: string): string {
  const { ino, mtimeMs } = lstatSync(path);
  return `${ino} ${mtimeMs}`;
}
