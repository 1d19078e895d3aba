/** How strongly each known cue goes with the label, and how many images each group has. */

import type { Attribute, Dataset } from "./dataset.ts";
import { CuelabError } from "./errors.ts";
import { classWord } from "./group-axes.ts";
import { groupsOf } from "./grouping.ts";
import { type MajorityValue, majorityValues } from "./majority-values.ts";
import { nearest } from "./nearest.ts";
import { cramersV, normalisedMutualInformation } from "./statistics/index.ts";

/** One cue on one slice of the data. A number that the slice cannot give is null. */
export interface CueStatistic {
  cue: string;
  /** A split, or a value of the attribute by which statistics are told apart. */
  slice: string;
  count: number;
  cramersV: number | null;
  normalisedMutualInformation: number | null;
  /** Share of images whose cue value is the one that goes with their class, among classes where one is known. */
  agreement: number | null;
  /**
   * `declared` by the dataset; `contradicted`: declared too, but training shows another value of some class more often;
   * `majority`: each class's most frequent value in training, none where two are level.
   */
  agreementRule: "declared" | "contradicted" | "majority";
}

export interface Slice {
  name: string;
  has: (index: number) => boolean;
}

export type CueColumns = Pick<Dataset, "labels" | "classNames" | "attributes" | "splits">;

/** Statistics of every cue on every split, and on every value of `by`. Slices without images are left out. */
export function cueStatistics(dataset: CueColumns, by?: string): CueStatistic[] {
  const names = Object.keys(dataset.attributes);
  if (by !== undefined && !names.includes(by)) throw unknownAttribute(by, names);
  const slices = slicesOf(dataset, by);
  return cuesOf(dataset).flatMap(([cue, attribute]) => {
    const majority = majorityOf(dataset, attribute);
    return slices
      .map((slice) => statistic(dataset, cue, attribute, slice, majority))
      .filter(({ count }) => count > 0);
  });
}

export function unknownAttribute(name: string, names: readonly string[], where?: string): CuelabError {
  const close = nearest(name, names);
  return new CuelabError({
    kind: "usage",
    what: `the dataset has no attribute "${name}"`,
    ...(where === undefined ? {} : { where }),
    expected: names.length === 0 ? "a dataset with attributes" : `one of: ${names.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

export function cuesOf({ attributes }: Pick<Dataset, "attributes">): [string, Attribute][] {
  return Object.entries(attributes).filter(([, { role }]) => role === "cue");
}

/** Each split, then each value of the attribute `by`. */
export function slicesOf({ splits, attributes }: CueColumns, by?: string): Slice[] {
  // People name it: `constructor` is no attribute unless there is one.
  const attribute = by !== undefined && Object.hasOwn(attributes, by) ? attributes[by] : undefined;
  return [
    ...splits.names.map((name, split) => ({ name, has: (i: number) => splits.values[i] === split })),
    ...(attribute?.valueNames ?? []).map((value, code) => ({
      name: `${by} ${value}`,
      has: (i: number) => attribute!.values[i] === code,
    })),
  ];
}

/** Counts of classes (rows) by attribute values (columns). */
export function crossTabulate(
  dataset: CueColumns,
  attribute: Attribute,
  slice: Pick<Slice, "has">,
): number[][] {
  const table = dataset.classNames.map(() => attribute.valueNames.map(() => 0));
  for (let i = 0; i < dataset.labels.length; i++) {
    if (slice.has(i)) table[dataset.labels[i]!]![attribute.values[i]!]!++;
  }
  return table;
}

/** Images of each class by the attribute's values as cells of a table: slice, class, a count for each value. */
export function occurrenceCells(
  dataset: CueColumns,
  attribute: Attribute,
  slices: readonly Slice[],
): string[][] {
  return slices.flatMap((slice) => {
    const counts = crossTabulate(dataset, attribute, slice);
    if (counts.flat().every((n) => n === 0)) return [];
    return dataset.classNames.map((label, row) => [
      slice.name,
      label,
      ...counts[row]!.map((n) => n.toLocaleString("en")),
    ]);
  });
}

function statistic(
  dataset: CueColumns,
  cue: string,
  attribute: Attribute,
  slice: Slice,
  majority: readonly MajorityValue[],
): CueStatistic {
  // What a dataset declares is what agreement means, also where training is made to show the opposite.
  const classValues = attribute.classValues ?? majority.map(({ value }) => value);
  const table = crossTabulate(dataset, attribute, slice);
  const count = total(table.flat());
  const known = table.filter((_, label) => classValues[label] !== undefined);
  const knownCount = total(known.flat());
  const agreeing = total(table.map((row, label) => row[classValues[label] ?? -1] ?? 0));
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
    agreement: knownCount > 0 ? agreeing / knownCount : null,
    agreementRule: !attribute.classValues
      ? "majority"
      : majority.some(({ why }) => why === "contradicted")
        ? "contradicted"
        : "declared",
  };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0);
}

/** The value of an attribute that goes with each class, by the dataset's word and its training split. */
export function majorityOf(dataset: CueColumns, attribute: Attribute): MajorityValue[] {
  const train = dataset.splits.names.indexOf("train");
  const training = crossTabulate(dataset, attribute, { has: (i) => dataset.splits.values[i] === train });
  return majorityValues(training, attribute.classValues);
}

/** A combination of class and attribute values, and how many images of each split it has. */
export interface GroupCount {
  label: string;
  values: string[];
  counts: Record<string, number>;
}

export interface GroupCounts {
  attributes: string[];
  nominal: number;
  occupied: number;
  /** All groups, or only the occupied ones where there are too many to list. */
  groups: GroupCount[];
  /** Groups without a single image, where all are listed. */
  empty: GroupCount[];
}

/**
 * Groups of class × the given attributes, by default the cues, but for one that is itself named class. Only occupied
 * groups cost memory.
 */
export function groupCounts(
  dataset: CueColumns,
  names = cuesOf(dataset).flatMap(([name]) => (name === classWord ? [] : [name])),
): GroupCounts {
  const { splits } = dataset;
  const found = groupsOf(dataset, { by: [classWord, ...names] });
  const images = new Uint32Array(found.sizes.length * splits.names.length);
  for (const [row, code] of found.codes.entries())
    images[code * splits.names.length + splits.values[row]!]!++;
  const listed = found.listed().map(({ group, code }) => ({
    code,
    counted: {
      label: group.class!,
      values: names.map((name) => group.values[name]!),
      counts: Object.fromEntries(
        splits.names.map((name, split) => [
          name,
          code === undefined ? 0 : images[code * splits.names.length + split]!,
        ]),
      ),
    },
  }));
  return {
    attributes: names,
    nominal: found.nominal,
    occupied: found.sizes.length,
    groups: listed.map(({ counted }) => counted),
    empty: listed.filter(({ code }) => code === undefined).map(({ counted }) => counted),
  };
}
