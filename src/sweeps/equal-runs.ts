/** One run by two names: a search or an entry that seems to differ and does not. */

import { CuelabError } from "../core/errors.ts";
import { leavesOf } from "../core/spec-differences.ts";
import { runId } from "../runs/run-folder.ts";
import type { RunSpec } from "../training/run-spec.ts";
import type { SearchPoint } from "./points.ts";
import { entryName, type SweepEntry } from "./sweep-entries.ts";

export interface AskedPoint {
  point: SearchPoint;
  spec: RunSpec;
}

export interface AskedEntry {
  entry: SweepEntry;
  /** What it runs first: its search's first points, or itself. */
  specs: RunSpec[];
}

/** Throws where two points of a stage are the same run; drawn ones may be equal, but not differ and be the same. */
export function refuseEqualPoints(
  asked: readonly AskedPoint[],
  { where, drawn }: { where: string; drawn: boolean },
): void {
  const seen = new Map<string, SearchPoint>();
  for (const { point, spec } of asked) {
    const id = runId(spec);
    const before = seen.get(id);
    if (before === undefined) seen.set(id, point);
    else if (!drawn || !isEqual(before, point)) {
      throw new CuelabError({
        kind: "usage",
        what: "two points of the search are the same run",
        where,
        expected: "points that differ in what is run",
        got: `${inWords(before)} and ${inWords(point)}: ${reason(before, point, spec)}`,
        todo: "leave one of them away",
      });
    }
  }
}

/** Throws where two entries ask for the same runs. */
export function refuseEqualEntries(asked: readonly AskedEntry[]): void {
  const seen = new Map<string, AskedEntry>();
  for (const one of asked) {
    const key = one.specs.map(runId).join();
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, one);
      continue;
    }
    throw new CuelabError({
      kind: "usage",
      what: `entries "${entryName(before.entry)}" and "${entryName(one.entry)}" of the sweep are the same runs`,
      expected: "entries that differ in what is run",
      got: reason(written(before), written(one), one.specs[0]!),
      todo: "leave one of them away: equal runs in two rows of a table look like two findings",
    });
  }
}

/** Why what was written differently is the same. */
function reason(a: SearchPoint, b: SearchPoint, spec: RunSpec): string {
  const paths = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  const differing = paths.filter((path) => !isEqual(a[path], b[path]));
  if (differing.length === 0) return "the same values stand there twice (0.1 and 1e-1 are one number)";
  return differing
    .map((path) => {
      if (/^(data|weights)\.(path|places)\b/.test(path))
        return `${path} says where files lie, which decides nothing`;
      const value = valueAt(spec, path);
      const given = `${path} is ${shown(a[path])} in one and ${shown(b[path])} in the other`;
      return value === undefined
        ? `${given}, which changes nothing`
        : `${given}, and comes to ${shown(value)} in both`;
    })
    .join("; ");
}

function inWords(point: SearchPoint): string {
  const values = Object.entries(point).map(([path, value]) => `${path}=${shown(value)}`);
  return values.join(" ") || "the entry as it is";
}

function shown(value: unknown): string {
  return value === undefined ? "not given" : typeof value === "string" ? value : JSON.stringify(value);
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function valueAt(tree: unknown, path: string): unknown {
  let inner = tree;
  for (const name of path.split(".")) inner = (inner as Record<string, unknown> | undefined)?.[name];
  return inner;
}

/** Every value of an entry by its place, without the label. */
function written({ entry }: AskedEntry): SearchPoint {
  return Object.fromEntries(leavesOf(entry.words));
}
