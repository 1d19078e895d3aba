/** Groups of images as parts of columns' names: how they are spelled, how many there may be, and lists of them. */

/** More groups than this, in each environment, are a mistake in the choice of columns. */
export const mostGroups = 512;

/** More names than this nobody reads. */
const mostNamed = 8;

/**
 * Names as they can stand in a column's name and on a command line: commas part columns there, a dot begins a key, and
 * here spaces part what = joins. Names that come out alike are told apart by a number.
 */
export function columnWords(names: readonly string[]): string[] {
  const words: string[] = [];
  for (const name of names) {
    const word = name.trim().replaceAll(/[\s,.='"`$\\]+/g, "_");
    let unique = word;
    for (let i = 2; words.includes(unique); i++) unique = `${word}~${i}`;
    words.push(unique);
  }
  return words;
}

/** The first of many names, which may have commas and spaces in them. */
export function firstNames(names: readonly string[]): string {
  const more = names.length > mostNamed ? `; and ${names.length - mostNamed} more` : "";
  return `${names.slice(0, mostNamed).join("; ")}${more}`;
}
