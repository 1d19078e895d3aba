/** How strongly each known cue goes with the label, and how many images each group has. */

import type { Attribute, Dataset } from "./dataset.ts";
import { cramersV, normalisedMutualInformation } from "./statistics/index.ts";

/** One cue on one slice of the data. A number that the slice cannot give is null. */
export interface CueStatistic {
  cue: string;
  /** A split, or a value of the attribute by which statistics are told apart. */
  slice: string;
  count: number;
  cramersV: number | null;
  normalisedMutualInformation: number | null;
  /** Share of images whose cue value is the one that goes with their class. */
  agreement: number | null;
  /** `declared` by the dataset, or each class's most frequent value in training. */
  agreementRule: "declared" | "majority";
}

export interface Slice {
  name: string;
  has: (index: number) => boolean;
}

type Columns = Pick<Dataset, "labels" | "classNames" | "attributes" | "splits">;

/** Statistics of every cue on every split, and on every value of `by`. Slices without images are left out. */
export function cueStatistics(dataset: Columns, by?: string): CueStatistic[] {
  const slices = slicesOf(dataset, by);
  return cuesOf(dataset).flatMap(([cue, attribute]) => {
    const classValues = attribute.classValues ?? majorityValues(dataset, attribute);
    return slices
      .map((slice) => statistic(dataset, cue, attribute, slice, classValues))
      .filter(({ count }) => count > 0);
  });
}

export function cuesOf({ attributes }: Pick<Dataset, "attributes">): [string, Attribute][] {
  return Object.entries(attributes).filter(([, { role }]) => role === "cue");
}

/** Each split, then each value of the attribute `by`. */
export function slicesOf({ splits, attributes }: Columns, by?: string): Slice[] {
  const attribute = by === undefined ? undefined : attributes[by];
  return [
    ...splits.names.map((name, split) => ({ name, has: (i: number) => splits.values[i] === split })),
    ...(attribute?.valueNames ?? []).map((value, code) => ({
      name: `${by} ${value}`,
      has: (i: number) => attribute!.values[i] === code,
    })),
  ];
}

/** Counts of classes (rows) by attribute values (columns). */
export function crossTabulate(dataset: Columns, attribute: Attribute, slice: Pick<Slice, "has">): number[][] {
  const table = dataset.classNames.map(() => attribute.valueNames.map(() => 0));
  for (let i = 0; i < dataset.labels.length; i++) {
    if (slice.has(i)) table[dataset.labels[i]!]![attribute.values[i]!]!++;
  }
  return table;
}

function statistic(
  dataset: Columns,
  cue: string,
  attribute: Attribute,
  slice: Slice,
  classValues: readonly number[],
): CueStatistic {
  const table = crossTabulate(dataset, attribute, slice);
  const count = table.flat().reduce((sum, n) => sum + n, 0);
  const agreeing = table.reduce((sum, row, label) => sum + (row[classValues[label]!] ?? 0), 0);
  // A table with one occupied row or column says nothing about association.
  const occupiedRows = table.filter((row) => row.some((n) => n > 0)).length;
  const occupiedColumns = attribute.valueNames.filter((_, value) =>
    table.some((row) => row[value]! > 0),
  ).length;
  const associable = occupiedRows > 1 && occupiedColumns > 1;
  return {
    cue,
    slice: slice.name,
    count,
    cramersV: associable ? cramersV(table) : null,
    normalisedMutualInformation: associable ? normalisedMutualInformation(table) : null,
    agreement: count > 0 ? agreeing / count : null,
    agreementRule: attribute.classValues ? "declared" : "majority",
  };
}

/** Each class's most frequent value in the first split, which is the training split. */
function majorityValues(dataset: Columns, attribute: Attribute): number[] {
  const table = crossTabulate(dataset, attribute, { has: (i) => dataset.splits.values[i] === 0 });
  return table.map((row) => row.indexOf(Math.max(...row)));
}

/** A combination of class and attribute values, and how many images of each split it has. */
export interface GroupCount {
  label: string;
  values: string[];
  counts: Record<string, number>;
}

/** More nominal groups than this are not listed when empty: there can be a hundred million. */
const mostListedGroups = 10_000;

export interface GroupCounts {
  attributes: string[];
  nominal: number;
  occupied: number;
  /** All groups, or only the occupied ones where there are too many to list. */
  groups: GroupCount[];
  /** Groups without a single image, where all are listed. */
  empty: GroupCount[];
}

/** Groups of class × the given attributes, the cues by default. Only occupied groups cost memory. */
export function groupCounts(dataset: Columns, names = cuesOf(dataset).map(([name]) => name)): GroupCounts {
  const attributes = names.map((name) => dataset.attributes[name]!);
  const sizes = attributes.map(({ valueNames }) => valueNames.length);
  const nominal = sizes.reduce((product, size) => product * size, dataset.classNames.length);
  const found = new Map<number, number[]>();
  for (let i = 0; i < dataset.labels.length; i++) {
    let key = dataset.labels[i]!;
    for (let a = 0; a < attributes.length; a++) key = key * sizes[a]! + attributes[a]!.values[i]!;
    let counts = found.get(key);
    if (counts === undefined) {
      counts = dataset.splits.names.map(() => 0);
      found.set(key, counts);
    }
    counts[dataset.splits.values[i]!]!++;
  }
  const keys =
    nominal <= mostListedGroups
      ? Array.from({ length: nominal }, (_, key) => key)
      : [...found.keys()].sort((a, b) => a - b);
  const groups = keys.map((key) => nameGroup(dataset, attributes, key, found.get(key)));
  const empty = groups.filter((_, i) => !found.has(keys[i]!));
  return { attributes: names, nominal, occupied: found.size, groups, empty };
}

function nameGroup(
  dataset: Columns,
  attributes: readonly Attribute[],
  key: number,
  counts: number[] | undefined,
): GroupCount {
  let rest = key;
  const values: string[] = [];
  for (const { valueNames } of attributes.toReversed()) {
    values.unshift(valueNames[rest % valueNames.length]!);
    rest = Math.floor(rest / valueNames.length);
  }
  return {
    label: dataset.classNames[rest]!,
    values,
    counts: Object.fromEntries(dataset.splits.names.map((name, split) => [name, counts?.[split] ?? 0])),
  };
}
