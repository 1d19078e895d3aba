/** Groups of class and attribute values with what was counted in them: every combination, or one for each yes. */

import { type Columns, classWord } from "../core/group-axes.ts";
import {
  type DisjointGroups,
  type Grouping,
  type Groups,
  groupsOf,
  type Group as NamedGroup,
  spelled,
} from "../core/grouping.ts";
import { lookUp } from "../core/look-up.ts";
import {
  addTally,
  type CountedCell,
  cellsOf,
  emptyTally,
  type PredictionCounts,
  type Tally,
} from "./counts.ts";

export interface TalliedGrouping extends Grouping {
  /** Not every combination, but the class with one attribute at a time: every row is in a group of each attribute. */
  oneByOne?: boolean;
}

export interface CountedGroup extends Tally {
  /** Such as `class landbird, place water`. */
  name: string;
  /** Null where the class is no part of the group. */
  label: string | null;
  values: Readonly<Record<string, string>>;
  /** Training images; null where nothing is known of training. */
  train: number | null;
}

/** In order; those without images too, unless there are too many to list. */
export function talliedGroups(
  counts: PredictionCounts,
  { oneByOne = false, ...grouping }: TalliedGrouping,
): { groups: CountedGroup[]; nominal: number } {
  const attributes = attributesIn(grouping);
  if (!grouping.overlapping && !oneByOne) return tallied(counts, grouping, attributes);
  // Attributes that overlap are counted one by one, too.
  const each = attributes.map((name) =>
    tallied(counts, { ...grouping, by: grouping.by.filter((other) => [classWord, name].includes(other)) }, [
      name,
    ]),
  );
  return {
    groups: each.flatMap(({ groups }) => groups),
    nominal: each.reduce((sum, { nominal }) => sum + nominal, 0),
  };
}

/** What a grouping is by, beside the class. */
export function attributesIn({ by }: Grouping): string[] {
  return by.filter((name) => name !== classWord);
}

/** Cells are grouped as rows would be, and added up. */
function tallied(counts: PredictionCounts, grouping: Grouping, attributes: readonly string[]) {
  const cells = cellsOf(counts, attributes);
  const found: Groups & Partial<DisjointGroups> = groupsOf(columnsOf(counts, attributes, cells), grouping);
  // Training images of a group before any are added: 0, or null where nothing is known of training.
  const untrained = cells.some(({ train }) => train !== null) ? 0 : null;
  const occupied: CountedGroup[] = [];
  const groups = found.listed().map(({ group, code }) => {
    const sum = emptyGroup(group, untrained);
    if (code !== undefined) occupied[code] = sum;
    return sum;
  });
  if (found.codes !== undefined) {
    for (let i = 0; i < cells.length; i++) addCell(occupied[found.codes[i]!]!, cells[i]!);
  } else {
    for (const [code, sum] of occupied.entries())
      for (const cell of found.members(code)) addCell(sum, cells[cell]!);
  }
  return { groups, nominal: found.nominal };
}

function columnsOf(
  { classNames, valueNames }: PredictionCounts,
  attributes: readonly string[],
  cells: readonly CountedCell[],
): Columns {
  const column = (codeOf: (cell: CountedCell) => number) => {
    const codes = new Int32Array(cells.length);
    for (let i = 0; i < codes.length; i++) codes[i] = codeOf(cells[i]!);
    return codes;
  };
  return {
    labels: column(({ label }) => label),
    classNames,
    attributes: Object.fromEntries(
      attributes.map((name, i) => [
        name,
        { values: column(({ values }) => values[i]!), valueNames: lookUp(valueNames, name) },
      ]),
    ),
  };
}

function emptyGroup(group: NamedGroup, train: 0 | null): CountedGroup {
  const { count, correct, baselineCorrect, bothCorrect } = emptyTally();
  return {
    name: spelled(group, "words"),
    label: group.class ?? null,
    values: group.values,
    count,
    correct,
    baselineCorrect,
    bothCorrect,
    train,
  };
}

function addCell(group: CountedGroup, cell: CountedCell): void {
  addTally(group, cell);
  if (cell.train !== null) group.train = (group.train ?? 0) + cell.train;
}
