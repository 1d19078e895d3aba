/** The points of a search: every combination of a grid, or random draws from ranges. */

import { randomStream } from "../core/random.ts";
import type { SweepRange } from "./sweep-file.ts";

/** Values by their place in the spec, such as `optimiser.rate`. */
export type SearchPoint = Readonly<Record<string, unknown>>;

/** The last key's values change fastest. */
export function gridPoints(grid: Readonly<Record<string, readonly unknown[]>>): SearchPoint[] {
  let points: SearchPoint[] = [{}];
  for (const [path, values] of Object.entries(grid))
    points = points.flatMap((point) => values.map((value) => ({ ...point, [path]: value })));
  return points;
}

/** Each point and key has random numbers of its own, so a longer search begins with the shorter one's points. */
export function randomPoints(
  ranges: Readonly<Record<string, SweepRange>>,
  count: number,
  seed: number,
): SearchPoint[] {
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(Object.entries(ranges).map(([path, range]) => [path, draw(range, seed, path, i)])),
  );
}

function draw(range: SweepRange, seed: number, path: string, index: number): unknown {
  const random = randomStream(seed, `search/${path}`).at(index);
  if ("of" in range) return range.of[random.integer(range.of.length)];
  if ("between" in range) {
    const [low, high] = range.between;
    return low + (high - low) * random.uniform();
  }
  const [low, high] = range.log.map(Math.log) as [number, number];
  // Twelve digits are more than enough to search with, and the same text whatever the last bits of the logarithm.
  return Number(Math.exp(low + (high - low) * random.uniform()).toPrecision(12));
}

export type Tree = Record<string, unknown>;

/** A copy of `tree` in which each path of the point has its value. */
export function withPoint(tree: Tree, point: SearchPoint): Tree {
  let result = tree;
  for (const [path, value] of Object.entries(point)) result = withValue(result, path.split("."), value);
  return result;
}

function withValue(tree: Tree, [name, ...rest]: readonly string[], value: unknown): Tree {
  const inner = tree[name!];
  return { ...tree, [name!]: rest.length === 0 ? value : withValue(isTree(inner) ? inner : {}, rest, value) };
}

/** `over` laid on top of `tree`: objects are merged, everything else is replaced. */
export function merged(tree: Tree, over: Tree): Tree {
  const result = { ...tree };
  for (const [name, value] of Object.entries(over)) {
    const below = result[name];
    result[name] = isTree(below) && isTree(value) ? merged(below, value) : value;
  }
  return result;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
