/** Names in a row, as sentences have them: `a`, `a and b`, `a, b and c`. */
export function wordList(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
