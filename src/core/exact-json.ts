/** JSON as others mean it: whole numbers beyond 2^53 stay what they are, as texts, and Python's bare NaN and Infinity are nothing. */

const odd = /\d{16}|NaN|Infinity/;
/** Texts and numbers are looked at as wholes: the digits behind a point are no number of their own. */
const words = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?\b(?:NaN|Infinity)\b/g;

export function parseExact(text: string): unknown {
  const bare = text.replace(/^\ufeff/, "");
  return JSON.parse(odd.test(bare) ? bare.replace(words, exactWord) : bare);
}

function exactWord(word: string, at: number, text: string): string {
  // Before a colon it would become a name, which bare words are not.
  if (word.startsWith('"') || isName(text, at + word.length)) return word;
  if (/[NI]/.test(word)) return "null";
  return !/^-?\d+$/.test(word) || Number.isSafeInteger(Number(word)) ? word : `"${word}"`;
}

const beforeColon = /\s*:/y;

function isName(text: string, end: number): boolean {
  beforeColon.lastIndex = end;
  return beforeColon.test(text);
}
