/** Groups of class and attribute values: every combination, or one for each yes of overlapping attributes. */

import { truthOf } from "../core/truth.ts";
import { addTally, type Cell, cellsOf, emptyTally, type PredictionCounts, type Tally } from "./counts.ts";

/** Which groups to make. */
export interface Grouping {
  attributes: readonly string[];
  /** Whether the class is part of a group. */
  byClass: boolean;
  /** Attributes are yes or no, and each that is yes makes a group of its own: an image can be in several, or none. */
  overlapping: boolean;
}

export interface Group extends Tally {
  /** Such as `class landbird, place water`. */
  name: string;
  /** Null where the class is no part of the group. */
  label: string | null;
  values: Readonly<Record<string, string>>;
  /** Training images; null where nothing is known of training. */
  train: number | null;
}

/** More nominal groups than this are not listed when empty: there can be a hundred million. */
const mostListedGroups = 10_000;

export function groupsOf(counts: PredictionCounts, grouping: Grouping): { groups: Group[]; nominal: number } {
  return grouping.overlapping ? overlapping(counts, grouping) : crossed(counts, grouping);
}

/** Every combination; with few of them, those without images too. */
function crossed(counts: PredictionCounts, { attributes, byClass }: Grouping) {
  const axes = [
    ...(byClass ? [counts.classNames] : []),
    ...attributes.map((name) => counts.valueNames.get(name)!),
  ];
  const nominal = axes.reduce((product, { length }) => product * length, 1);
  const cells = cellsOf(counts, attributes);
  const train = noneTrained(cells);
  const found = new Map<string, { codes: number[]; group: Group }>();
  const at = (codes: number[]): Group => {
    const key = codes.join();
    let entry = found.get(key);
    if (entry === undefined) {
      const label = byClass ? axes[0]![codes[0]!]! : null;
      const names = codes.slice(byClass ? 1 : 0).map((code, i) => axes[i + (byClass ? 1 : 0)]![code]!);
      entry = { codes, group: emptyGroup(label, attributes, names, train) };
      found.set(key, entry);
    }
    return entry.group;
  };
  if (nominal <= mostListedGroups) for (const codes of combinations(axes)) at(codes);
  for (const cell of cells) {
    addCell(at(byClass ? [cell.label, ...cell.values] : [...cell.values]), cell);
  }
  const order = [...found.values()].sort((a, b) => compareCodes(a.codes, b.codes));
  return { groups: order.map(({ group }) => group), nominal };
}

/** As in CivilComments: each attribute that is yes, by class. Images without any yes are in no group. */
function overlapping(counts: PredictionCounts, { attributes, byClass }: Grouping) {
  const labels = byClass ? counts.classNames : [null];
  const groups = attributes.flatMap((name) => {
    const yes = counts.valueNames.get(name)!.map((value) => truthOf(value, name));
    const cells = cellsOf(counts, [name]);
    const ofAttribute = labels.map((label) => emptyGroup(label, [name], ["yes"], noneTrained(cells)));
    for (const cell of cells) {
      if (yes[cell.values[0]!]) addCell(ofAttribute[byClass ? cell.label : 0]!, cell);
    }
    return ofAttribute;
  });
  return { groups, nominal: groups.length };
}

/** Training images of a group before any are added: 0, or null where nothing is known of training. */
function noneTrained(cells: readonly Cell[]): 0 | null {
  return cells.some(({ train }) => train !== null) ? 0 : null;
}

function emptyGroup(
  label: string | null,
  attributes: readonly string[],
  values: readonly string[],
  train: 0 | null,
): Group {
  const parts = attributes.map((name, i) => `${name} ${values[i]}`);
  return {
    name: [...(label === null ? [] : [`class ${label}`]), ...parts].join(", ") || "all images",
    label,
    values: Object.fromEntries(attributes.map((name, i) => [name, values[i]!])),
    ...emptyTally(),
    train,
  };
}

function addCell(group: Group, cell: Cell): void {
  addTally(group, cell);
  if (cell.train !== null) group.train = (group.train ?? 0) + cell.train;
}

function* combinations(axes: readonly (readonly string[])[]): Generator<number[]> {
  const [first, ...rest] = axes;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const code of first.keys()) for (const codes of combinations(rest)) yield [code, ...codes];
}

function compareCodes(a: readonly number[], b: readonly number[]): number {
  for (const [i, code] of a.entries()) if (code !== b[i]) return code - b[i]!;
  return 0;
}
