/** How files and tables name their splits. */

import { standardSplits } from "./dataset.ts";
import { editDistance } from "./nearest.ts";

/** Other names of the standard splits. */
const splitAliases = new Map<string, string>([
  ...standardSplits.map((name) => [name, name] as const),
  ["training", "train"],
  ["valid", "val"],
  ["validation", "val"],
  ["dev", "val"],
  ["testing", "test"],
]);

export function isSplitAlias(name: string): boolean {
  return splitAliases.has(name.toLowerCase());
}

/** The name that somebody probably meant who wrote a word one letter off; undefined where there is nothing wrong. */
export function misspeltSplit(value: string): string | undefined {
  const word = value.toLowerCase();
  if (splitAliases.has(word) || !/^[a-z]+$/.test(word)) return undefined;
  return [...splitAliases.keys()].find((name) => name.length > 3 && editDistance(word, name) === 1);
}

/** A name becomes a folder's or a file's, so it may not hold what leads elsewhere. */
export function splitName(value: string): string | undefined {
  const alias = splitAliases.get(value.toLowerCase());
  if (alias !== undefined) return alias;
  // A number that stands for no split could not be told from one that does.
  const number = Number(value);
  if (Number.isInteger(number)) return standardSplits[number];
  return /^\w[\w-]*$/.test(value) && value !== "__proto__" ? value : undefined;
}

/** The usual name that somebody probably meant by one that is a letter off: `tset`. Names with digits are names of their own. */
export function meantSplit(name: string): string | undefined {
  if (isSplitAlias(name) || /\d/.test(name)) return undefined;
  const close = [...splitAliases.keys()].find((alias) => editDistance(name.toLowerCase(), alias) === 1);
  return close === undefined ? undefined : splitAliases.get(close);
}
