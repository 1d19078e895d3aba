/** Names of groups as parts of columns' names, how many groups there may be, and lists of them. */

/** More groups than this, in each environment, are a mistake in the choice of columns: each has a column of its own. */
export const mostGroups = 512;

/** Where there are more nominal groups than this, those without rows are not listed: there can be a hundred million. */
export const mostListedGroups = 10_000;

/** More names than this nobody reads. */
const mostNamed = 8;

/**
 * Names as they can stand in a column's name and on a command line: commas part columns there, a dot begins a key, and
 * here spaces part what = joins. Names that come out alike are told apart by a number.
 */
export function columnWords(names: readonly string[]): string[] {
  const words = new Set<string>();
  for (const name of names) {
    const word = name.trim().replaceAll(/[\s,.='"`$\\]+/g, "_");
    let unique = word;
    for (let i = 2; words.has(unique); i++) unique = `${word}~${i}`;
    words.add(unique);
  }
  return [...words];
}

/** The first of many names, which may have commas and spaces in them. */
export function firstNames(names: readonly string[]): string {
  const more = names.length > mostNamed ? `; and ${names.length - mostNamed} more` : "";
  return `${names.slice(0, mostNamed).join("; ")}${more}`;
}
