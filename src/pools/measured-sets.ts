/**
 * The sets of images that every classifier of a pool is measured on, each with the name of its column: the parts of the
 * environments, and within each part the groups that the class makes together with chosen attributes.
 */

import type { Dataset } from "../core/dataset.ts";
import { classWord, namedAttributes } from "../core/group-axes.ts";
import type { EnvironmentPlan } from "../training/environments.ts";
import { codesOf, measuredGroups } from "../training/measured-groups.ts";
import { accuracyColumn, groupColumn } from "./pool-table.ts";

type MeasuredColumns = Pick<Dataset, "name" | "labels" | "classNames" | "attributes">;

export interface MeasuredSet {
  column: string;
  /** Position in the plan. */
  environment: number;
  part: "in" | "out";
  /** The class under `class` and the value of each attribute, as the dataset spells them; none for a whole part. */
  group?: Readonly<Record<string, string>>;
  /** The same as codes, as runs tell their groups apart. */
  codes?: readonly number[];
  /** Of the dataset. */
  indices: Uint32Array;
}

export interface MeasuredSetOptions {
  /** Attributes that make groups together with the class, or `class` for the class alone; none, no groups. */
  groups: readonly string[];
  /** Images of an in part that are measured at most. */
  testImages: number;
}

export interface MeasuredSets {
  /** Parts first, then their groups, in the order of the table's columns. */
  sets: MeasuredSet[];
  /** Groups that would have a column if they had images. */
  empty: MeasuredSet[];
}

export function measuredSets(
  { environments }: EnvironmentPlan,
  dataset: MeasuredColumns,
  { groups, testImages }: MeasuredSetOptions,
): MeasuredSets {
  const parts = (["in", "out"] as const).flatMap((part) =>
    environments.flatMap(({ inPart, outPart }, environment): MeasuredSet[] => {
      const indices = part === "in" ? evenly(inPart, testImages) : outPart;
      if (indices.length === 0) return [];
      return [{ column: accuracyColumn(environment, part), environment, part, indices }];
    }),
  );
  if (groups.length === 0) return { sets: parts, empty: [] };
  const all = parts.flatMap(({ environment, part, indices }) => {
    const found = measuredGroups(dataset, groups, indices);
    return found.listed().map(
      ({ group, code }): MeasuredSet => ({
        column: groupColumn(environment, part, group),
        environment,
        part,
        group: { class: group.class!, ...group.values },
        codes: codesOf(group),
        indices: code === undefined ? new Uint32Array() : found.members(code).map((place) => indices[place]!),
      }),
    );
  });
  return {
    sets: [...parts, ...all.filter(({ indices }) => indices.length > 0)],
    empty: all.filter(({ indices }) => indices.length === 0),
  };
}

/**
 * What makes groups, in the dataset's order, so that equal choices are one pool. The class is part of every group; named
 * alone, it makes the groups.
 */
export function groupAttributes(dataset: MeasuredColumns, given: readonly string[]): string[] {
  const names = namedAttributes(dataset, given, { where: "--groups", datasetOrder: true });
  return names.length === 0 && given.length > 0 ? [classWord] : names;
}

/** As many as there may be, evenly taken. */
function evenly(indices: Uint32Array, most: number): Uint32Array {
  const taken = Math.min(indices.length, most);
  return Uint32Array.from({ length: taken }, (_, i) => indices[Math.floor((i * indices.length) / taken)]!);
}
