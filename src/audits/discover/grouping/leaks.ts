/** Groups of images that lie in more than one split: what a model remembers of training then helps it in testing. */

import type { Dataset } from "../../../core/dataset.ts";
import type { Belonging } from "./belonging.ts";
import { groupsOfCodes } from "./joined.ts";

export interface Leak {
  by: string;
  /** What images of a group share, in words. */
  share: string;
  groups: number;
  /** Groups in more than one split. */
  crossing: number;
  /** Images of other splits with one of their group in training. */
  leaked: number;
  /** Of so many images outside of training. */
  outside: number;
  /** File names of a few crossing groups. */
  examples: string[][];
}

export interface LookAlikes {
  /** Groups of images that look the same, and images in them. */
  groups: number;
  images: number;
  /** Groups in more than one split, and with more than one class. */
  acrossSplits: number;
  acrossClasses: number;
  examples: { images: string[]; splits: string[]; classes: string[] }[];
}

const mostExamples = 8;
const mostNames = 4;

export function leakOf({ by, share, codes }: Belonging, { images, splits }: Dataset): Leak {
  const train = Math.max(0, splits.names.indexOf("train"));
  const groups = groupsOfCodes(codes);
  const crossing = groups.filter((group) =>
    group.some((index) => splits.values[index] !== splits.values[group[0]!]),
  );
  const leaked = crossing
    .filter((group) => group.some((index) => splits.values[index] === train))
    .reduce((sum, group) => sum + group.filter((index) => splits.values[index] !== train).length, 0);
  return {
    by,
    share,
    groups: groups.length,
    crossing: crossing.length,
    leaked,
    outside: splits.values.reduce((sum, split) => sum + (split === train ? 0 : 1), 0),
    examples: crossing
      .slice(0, mostExamples)
      .map((group) => onePerSplit(group, splits.values).map((index) => nameOf(images, index))),
  };
}

export function lookAlikesOf(codes: ArrayLike<number>, dataset: Dataset): LookAlikes & { shown: number[][] } {
  const { images, splits, labels, classNames } = dataset;
  const groups = groupsOfCodes(codes);
  const several = (group: readonly number[], of: ArrayLike<number>) =>
    group.some((index) => of[index] !== of[group[0]!]);
  const crossing = groups.filter((group) => several(group, splits.values));
  const contradicting = groups.filter((group) => several(group, labels));
  // Those that do harm first.
  const shown = [...new Set([...crossing, ...contradicting, ...groups])]
    .slice(0, mostExamples)
    .map((group) => onePerSplit(group, splits.values));
  return {
    groups: groups.length,
    images: groups.reduce((sum, group) => sum + group.length, 0),
    acrossSplits: crossing.length,
    acrossClasses: contradicting.length,
    examples: shown.map((group) => ({
      images: group.map((index) => nameOf(images, index)),
      splits: group.map((index) => splits.names[splits.values[index]!]!),
      classes: group.map((index) => classNames[labels[index]!]!),
    })),
    shown,
  };
}

/** A few of a group, of each split one first. */
function onePerSplit(group: readonly number[], splits: ArrayLike<number>): number[] {
  const first = group.filter((index, i) => group.findIndex((other) => splits[other] === splits[index]) === i);
  return [...new Set([...first, ...group])].slice(0, mostNames);
}

/** As the dataset names it. */
export function nameOf(images: Dataset["images"], index: number): string {
  return images.file?.(index) ?? images.describe(index);
}
