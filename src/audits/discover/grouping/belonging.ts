/** Images that belong together by something other than their looks: taken in one burst, of one folder, series or person. */

import type { Dataset } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { didYouMean } from "../../../core/nearest.ts";
import { nameFacts, seriesOf } from "../files/name-facts.ts";
import type { MeasuredProperties } from "../measuring/measure-images.ts";
import { properties } from "../properties/index.ts";
import { Joined } from "./joined.ts";

/** A way in which images belong together: a code each, -1 for those of which it is not known. */
export interface Belonging {
  /** `burst`, `day`, `folder`, `series`, or a column's name. */
  by: string;
  /** What images of one code share, in words. */
  share: string;
  codes: Int32Array;
}

/** Seconds between two pictures of a burst. */
const burstSeconds = 3;
/** A clock that shows one time for so many was never set, or is a program's. */
const mostAtOnce = 20;
/** Classes must have as many folders or series: with fewer these are kinds of images, and a property. */
const fewestGroups = 10;
/** Images of each, on average: names that end with any number share the rest now and then. */
const fewestEach = 1.5;

export function burstsOf({ count, taken, columns }: MeasuredProperties): Belonging | undefined {
  const cameras = columns[properties.findIndex(({ name }) => name === "camera")]!;
  const camera = (index: number) => (cameras.kind === "name" ? cameras.codes[index]! : -1);
  const timed = [...taken.keys()].filter((index) => !Number.isNaN(taken[index]));
  const sameTime = new Map<string, number>();
  const key = (index: number) => `${camera(index)} ${taken[index]}`;
  for (const index of timed) sameTime.set(key(index), (sameTime.get(key(index)) ?? 0) + 1);
  const real = timed.filter((index) => sameTime.get(key(index))! <= mostAtOnce);
  if (real.length === 0) return undefined;
  real.sort((a, b) => camera(a) - camera(b) || taken[a]! - taken[b]! || a - b);
  const joined = new Joined(count);
  for (const [i, index] of real.entries()) {
    const before = real[i - 1];
    if (
      before !== undefined &&
      camera(before) === camera(index) &&
      taken[index]! - taken[before]! <= burstSeconds
    )
      joined.join(before, index);
  }
  const codes = new Int32Array(count).fill(-1);
  for (const index of real) codes[index] = joined.groupOf(index);
  return { by: "burst", share: `a burst of one camera (${burstSeconds} seconds at most between two)`, codes };
}

export function daysOf({ columns, count }: MeasuredProperties): Belonging | undefined {
  const days = columns[properties.findIndex(({ name }) => name === "day")]!;
  if (days.kind !== "name" || days.names.length === 0) return undefined;
  const codes = new Int32Array(count);
  codes.set(days.codes);
  return { by: "day", share: "a day", codes };
}

/** Sub-folders and series of numbered names, where each class has many of them. */
export function namedGroupsOf(dataset: Dataset): Belonging[] {
  const { images, labels, classNames, splits } = dataset;
  if (images.file === undefined) return [];
  const [folders, series] = [new NamedCodes(images.count), new NamedCodes(images.count)];
  for (let index = 0; index < images.count; index++) {
    const name = nameFacts(images.file(index), {
      className: classNames[labels[index]!]!,
      splitName: splits.names[splits.values[index]!]!,
    });
    if (name.folder !== "") folders.set(index, name.folder);
    const own = seriesOf(name)?.series;
    // A bare number tells nothing of where it comes from.
    if (own !== undefined && /\d/.test(own)) series.set(index, own);
  }
  const ways: Belonging[] = [
    { by: "folder", share: "a sub-folder", codes: folders.codes },
    { by: "series", share: "a series of names (but for the last number)", codes: series.codes },
  ];
  return ways.filter(({ codes }) => hasMany(codes, dataset));
}

/** A column that people name. */
export function columnGroups({ attributes }: Dataset, name: string): Belonging {
  const attribute = attributes[name];
  if (attribute !== undefined)
    return { by: name, share: `their ${name}`, codes: Int32Array.from(attribute.values) };
  const names = Object.keys(attributes);
  throw new CuelabError({
    kind: "usage",
    what: `the images have no column "${name}"`,
    expected: names.length === 0 ? "a dataset with a table beside its images" : `one of: ${names.join(", ")}`,
    ...didYouMean(name, names),
  });
}

/** Columns that are called like somebody or something that has several images. */
export function personalColumns(dataset: Dataset): Belonging[] {
  const like =
    /patient|person|people|subject|identity|\bid\b|_id$|animal|camera|device|site|session|scene|sequence|video|visit|location/i;
  return Object.entries(dataset.attributes)
    .filter(([name, { valueNames }]) => like.test(name) && valueNames.length >= fewestGroups)
    .map(([name]) => columnGroups(dataset, name));
}

/** Of a middling class, and most with more than one picture. */
function hasMany(codes: Int32Array, { labels, classNames }: Dataset): boolean {
  const groups = classNames.map(() => new Set<number>());
  let known = 0;
  for (let index = 0; index < codes.length; index++) {
    if (codes[index]! < 0) continue;
    known++;
    groups[labels[index]!]!.add(codes[index]!);
  }
  const sizes = groups.map(({ size }) => size).sort((a, b) => a - b);
  const all = new Set(codes.filter((code) => code >= 0)).size;
  return sizes[sizes.length >> 1]! >= fewestGroups && known >= fewestEach * all;
}

class NamedCodes {
  readonly codes: Int32Array;
  readonly #known = new Map<string, number>();

  constructor(count: number) {
    this.codes = new Int32Array(count).fill(-1);
  }

  set(index: number, text: string): void {
    const known = this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, known);
    this.codes[index] = known;
  }
}
