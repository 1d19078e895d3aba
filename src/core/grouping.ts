/**
 * Groups of rows by class and attributes. Groups have one order, that of the columns' own values, the last column varying
 * fastest; it never depends on the order of rows. Only groups that occur are numbered and cost memory.
 */

import { combineCodes } from "./combine-codes.ts";
import { type Axis, axesOf, type Columns, yesCodes } from "./group-axes.ts";
import { mostListedGroups } from "./group-words.ts";

/** Which groups to make. */
export interface Grouping {
  /** Names of attributes, and `class` for the class. */
  by: readonly string[];
  /** Attributes are yes or no, and each that is yes makes a group of its own: a row can be in several, or none. */
  overlapping?: boolean;
}

export interface Group {
  /** Where the class is part of the group. */
  class?: string;
  values: Readonly<Record<string, string>>;
  /** What it is made of, in order: see `spelled`. */
  parts: readonly { axis: Axis; code: number }[];
}

/** A group among all that there could be; one without rows has no number. */
interface ListedGroup {
  group: Group;
  code: number | undefined;
}

export interface Groups {
  /** Rows of each group that occurs. */
  sizes: Uint32Array;
  /** How many groups there could be; beyond 2⁵³ about that many. */
  nominal: number;
  readonly group: (code: number) => Group;
  /** Places of its rows among the rows that were grouped. */
  readonly members: (code: number) => Uint32Array;
  /** In order, those without rows too, unless there are too many to list. */
  readonly listed: () => ListedGroup[];
}

export interface DisjointGroups extends Groups {
  /** Of each row the number of its group. */
  codes: Int32Array;
}

/** Of all rows, or of those at the given places. */
export function groupsOf(
  columns: Columns,
  grouping: Grouping & { overlapping?: false },
  rows?: Uint32Array,
): DisjointGroups;
export function groupsOf(columns: Columns, grouping: Grouping, rows?: Uint32Array): Groups;
export function groupsOf(
  columns: Columns,
  { by, overlapping = false }: Grouping,
  rows?: Uint32Array,
): Groups {
  const axes = axesOf(columns, by);
  const count = rows?.length ?? lengthOf(columns);
  return overlapping ? yesGroups(axes, count, rows) : combinations(axes, count, rows);
}

/** Groups under other numbers than their own. */
export type NumberedGroups = Pick<DisjointGroups, "codes" | "sizes" | "members">;

/** Numbered in the order in which they first occur among the rows: for draws and sums that were made in that order. */
export function byAppearance({ codes, sizes, members }: DisjointGroups): NumberedGroups {
  const numbers = new Int32Array(sizes.length).fill(-1);
  const order: number[] = [];
  for (const code of codes) {
    if (numbers[code] === -1) numbers[code] = order.push(code) - 1;
  }
  return {
    codes: codes.map((code) => numbers[code]!),
    sizes: Uint32Array.from(order, (code) => sizes[code]!),
    members: (number) => members(order[number]!),
  };
}

/** Those that occur among codes that somebody else has given, numbered in the order of the codes. */
export function numberedGroups(codes: ArrayLike<number>): NumberedGroups {
  const known = [...new Set(Array.from(codes))].sort((a, b) => a - b);
  const numbers = new Map(known.map((code, number) => [code, number]));
  const renumbered = Int32Array.from(codes, (code) => numbers.get(code)!);
  const sizes = new Uint32Array(known.length);
  for (const number of renumbered) sizes[number]!++;
  return { codes: renumbered, sizes, members: membersOf(renumbered, sizes) };
}

/** `class a, place b` for people, or `class=a place=b` as part of a column's name. */
export function spelled({ parts }: Pick<Group, "parts">, as: "words" | "column"): string {
  switch (as) {
    case "words":
      return parts.map(({ axis, code }) => axis.phrase(code)).join(", ") || "all images";
    case "column":
      return parts.map(({ axis, code }) => `${axis.title}=${axis.word(code)}`).join(" ");
    default:
      return as satisfies never;
  }
}

function combinations(axes: readonly Axis[], count: number, rows: Uint32Array | undefined): DisjointGroups {
  const columns = axes.map(({ codes, names }) => ({ codes, size: names.length }));
  const { codes, count: occupied } = combineCodes(columns, count, rows);
  const sizes = new Uint32Array(occupied);
  // A row of each group, to tell its values by.
  const samples = new Uint32Array(occupied);
  for (let i = 0; i < count; i++) {
    const code = codes[i]!;
    sizes[code]!++;
    samples[code] = i;
  }
  const nominal = axes.reduce((product, { names }) => product * names.length, 1);
  const rowOf = (code: number) => (rows === undefined ? samples[code]! : rows[samples[code]!]!);
  const group = (code: number) => {
    const row = rowOf(code);
    return groupOf(axes.map((axis) => ({ axis, code: axis.codes[row]! })));
  };
  let members: ((code: number) => Uint32Array) | undefined;
  return {
    codes,
    sizes,
    nominal,
    group,
    members: (code) => {
      members ??= membersOf(codes, sizes);
      return members(code);
    },
    listed: () => {
      if (nominal > mostListedGroups) return Array.from(sizes, (_, code) => ({ group: group(code), code }));
      // Both in the same order: of every combination it is enough to look at the next group that occurs.
      let next = 0;
      return everyGroup(axes).map((each) => {
        const row = next < occupied ? rowOf(next) : -1;
        const occurs = row >= 0 && each.parts.every(({ axis, code }) => axis.codes[row] === code);
        return { group: each, code: occurs ? next++ : undefined };
      });
    },
  };
}

/** As in CivilComments: of each attribute its yes, by class where the class is named. Rows without any yes are in no group. */
function yesGroups(axes: readonly Axis[], count: number, rows: Uint32Array | undefined): Groups {
  const byClass = axes.find(({ isClass }) => isClass);
  const attributes = axes.filter(({ isClass }) => !isClass);
  const yes = attributes.map(yesCodes);
  const classes = byClass?.names.length ?? 1;
  const classOf = (row: number) => byClass?.codes[row] ?? 0;
  const rowOf = (place: number) => (rows === undefined ? place : rows[place]!);
  const all = attributes.flatMap((axis, attribute) => {
    const sizes = new Uint32Array(classes);
    for (let i = 0; i < count; i++) {
      const row = rowOf(i);
      if (yes[attribute]![axis.codes[row]!] === 1) sizes[classOf(row)]!++;
    }
    const said = axis.saying(["yes"]);
    return Array.from(sizes, (size, label) => ({ axis, said, attribute, label, size }));
  });
  const occupied = all.filter(({ size }) => size > 0);
  const group = ({ said, label }: (typeof all)[number]) =>
    groupOf([...(byClass ? [{ axis: byClass, code: label }] : []), { axis: said, code: 0 }]);
  return {
    sizes: Uint32Array.from(occupied, ({ size }) => size),
    nominal: all.length,
    group: (code) => group(occupied[code]!),
    members: (code) => {
      const { axis, attribute, label, size } = occupied[code]!;
      const places = new Uint32Array(size);
      for (let i = 0, at = 0; at < size; i++) {
        const row = rowOf(i);
        if (yes[attribute]![axis.codes[row]!] === 1 && classOf(row) === label) places[at++] = i;
      }
      return places;
    },
    listed: () => {
      const told = all.length > mostListedGroups ? occupied : all;
      let next = 0;
      return told.map((one) => ({ group: group(one), code: one.size > 0 ? next++ : undefined }));
    },
  };
}

function groupOf(parts: Group["parts"]): Group {
  return parts.reduce(extended, { values: {}, parts: [] });
}

/** A group with one part more. */
function extended(group: Group, part: Group["parts"][number]): Group {
  const { axis, code } = part;
  const name = axis.names[code]!;
  const parts = [...group.parts, part];
  if (axis.isClass) return { class: name, values: group.values, parts };
  const values = { ...group.values, [axis.name]: name };
  return group.class === undefined ? { values, parts } : { class: group.class, values, parts };
}

/** The places of each group, side by side in one array. */
function membersOf(codes: Int32Array, sizes: Uint32Array): (code: number) => Uint32Array {
  const ends = new Uint32Array(sizes.length);
  let total = 0;
  for (const [code, size] of sizes.entries()) {
    ends[code] = total;
    total += size;
  }
  const places = new Uint32Array(codes.length);
  for (let i = 0; i < codes.length; i++) places[ends[codes[i]!]!++] = i;
  return (code) => places.subarray(ends[code]! - sizes[code]!, ends[code]);
}

/** Of every combination, the last axis varying fastest: those of some axes, each with every value of the next. */
function everyGroup(axes: readonly Axis[]): Group[] {
  let groups: Group[] = [groupOf([])];
  for (const axis of axes) {
    const parts = axis.names.map((_, code) => ({ axis, code }));
    groups = groups.flatMap((group) => parts.map((part) => extended(group, part)));
  }
  return groups;
}

function lengthOf({ labels, attributes }: Columns): number {
  return labels?.length ?? Object.values(attributes)[0]?.values.length ?? 0;
}
