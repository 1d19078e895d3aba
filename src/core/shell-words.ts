/** Commands that people can copy into a shell. */

/** In quotes where a word holds more than letters and digits. */
export function quoted(word: string): string {
  return /^[\w./:=,\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
