/** A property's values cut into parts, without looking at classes: ranges of numbers, frequent names, and having none. */

import type { MeasuredColumn, MeasuredNames, MeasuredNumbers } from "../measuring/measured-column.ts";
import type { PropertyAbout } from "../properties/property.ts";

export interface CutProperty {
  property: PropertyAbout;
  /** Of each unit. */
  codes: Uint8Array;
  parts: readonly PropertyPart[];
  /** Whether parts follow each other, and whether the last is followed by the first. */
  order: "none" | "line" | "circle";
}

export type PropertyPart =
  /** From `low` up to, and without, `high`; undefined where it has no end. */
  | { kind: "range"; low: number | undefined; high: number | undefined }
  | { kind: "value"; value: string }
  /** Values too rare to be looked at one by one. */
  | { kind: "others" }
  | { kind: "none" };

/** As many ranges as have about equally many images each. */
const mostRanges = 16;
const mostValues = 200;
/** Rarer values could not be told from chance anyway. */
const fewestOfValue = 3;

/**
 * `units` are the images that count, `chosen` which of them decide where to cut. Undefined where all are of one part: nothing can
 * go with it.
 */
export function cutProperty(
  property: PropertyAbout,
  column: MeasuredColumn,
  units: Uint32Array,
  chosen: Uint8Array,
): CutProperty | undefined {
  const cut =
    column.kind === "number" ? cutNumbers(property, column, units, chosen) : cutNames(column, units, chosen);
  const first = cut.codes[0];
  return cut.codes.every((code) => code === first) ? undefined : { property, ...cut };
}

type Cut = Omit<CutProperty, "property">;

function cutNumbers(
  { circle }: PropertyAbout,
  { values }: MeasuredNumbers,
  units: Uint32Array,
  chosen: Uint8Array,
): Cut {
  const known = Float32Array.from(
    units.filter((_, u) => chosen[u] === 1).map((index) => index),
    (index) => values[index]!,
  ).filter((value) => !Number.isNaN(value));
  known.sort();
  const edges = edgesOf(known);
  const codes = Uint8Array.from(units, (index) => {
    const value = values[index]!;
    return Number.isNaN(value) ? edges.length + 1 : placeAmong(edges, value);
  });
  const parts: PropertyPart[] = Array.from({ length: edges.length + 1 }, (_, i) => ({
    kind: "range",
    low: edges[i - 1],
    high: edges[i],
  }));
  return { codes, parts: [...parts, { kind: "none" }], order: circle === undefined ? "line" : "circle" };
}

/** Where ranges of about equally many begin, without the first; equal numbers stay together. */
function edgesOf(sorted: Float32Array): number[] {
  const edges: number[] = [];
  for (let i = 1; i < mostRanges; i++) {
    const edge = sorted[Math.floor((i * sorted.length) / mostRanges)];
    if (edge !== undefined && edge > sorted[0]! && edge !== edges.at(-1)) edges.push(edge);
  }
  // The rest above the most frequent number would else be lost, as where most images have no border.
  const most = sorted.at(-1);
  if (edges.length === 0 && most !== undefined && most > sorted[0]!)
    edges.push(sorted.find((value) => value > sorted[0]!)!);
  return edges;
}

/** How many edges are at most the value. */
function placeAmong(edges: readonly number[], value: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutNames({ codes, names }: MeasuredNames, units: Uint32Array, chosen: Uint8Array): Cut {
  const counts = new Uint32Array(names.length);
  for (const [u, index] of units.entries())
    if (chosen[u] === 1 && codes[index]! >= 0) counts[codes[index]!]!++;
  const frequent = [...counts.keys()]
    .filter((code) => counts[code]! >= fewestOfValue)
    .sort((a, b) => counts[b]! - counts[a]! || a - b)
    .slice(0, mostValues);
  const places = new Map(frequent.map((code, place) => [code, place]));
  return {
    codes: Uint8Array.from(units, (index) => {
      const code = codes[index]!;
      return code < 0 ? frequent.length + 1 : (places.get(code) ?? frequent.length);
    }),
    parts: [
      ...frequent.map((code): PropertyPart => ({ kind: "value", value: names[code]! })),
      { kind: "others" },
      { kind: "none" },
    ],
    order: "none",
  };
}
