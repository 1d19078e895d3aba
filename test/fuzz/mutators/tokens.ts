/** JSON changed by its words and not by its tree: keys twice, numbers and texts that no tree can hold, other spellings of the same. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

const word = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{}:,]/g;

const numbers = [
  "9007199254740993",
  "-9007199254740993",
  "123456789012345678901234567890",
  "1e999",
  "-1e999",
  "1e-999",
  "-0",
  "-0.0",
  "1.0",
  "1e0",
  "1E2",
  "0.1e1",
  "4294967296",
  "2147483648",
  "0.30000000000000004",
  "NaN",
  "Infinity",
  "-Infinity",
  "1.",
  ".5",
  "+1",
  "0x10",
  "1_000",
  "1n",
];

const texts = [
  '"\\ud800"',
  '"\\udc00x"',
  '"\\u0000"',
  '"\\u202e"',
  '"a\\/b"',
  '"\\u0061"',
  '"[NaN, 1]"',
  '"x: NaN, y"',
  '"a\u2028b"',
  '"tab\tin"',
  '"../../x"',
  '"C:\\\\x"',
  '"/etc/passwd"',
  '"constructor"',
  '"__proto__"',
  '"\ufeff"',
  '"\\x41"',
  "'a'",
  `"${"é".repeat(700)}"`,
];

/** The text with one to three of its words changed. */
function changedWords(text: string, chance: Chance): string {
  const words: { at: number; word: string }[] = [];
  for (const match of text.matchAll(word)) words.push({ at: match.index, word: match[0] });
  if (words.length === 0) return text;
  const place = chance.below(words.length);
  const { at, word: old } = words[place]!;
  const end = at + old.length;
  const with_ = (middle: string) => text.slice(0, at) + middle + text.slice(end);
  const isKey = words[place + 1]?.word === ":";
  switch (chance.below(9)) {
    case 0:
      return with_(chance.pick(isKey ? texts : numbers));
    case 1:
      return with_(chance.pick(texts));
    case 2: {
      // A key a second time, with another value, before or behind.
      const key = words.findIndex(
        (each, i) => i >= place && words[i + 1]?.word === ":" && each.word.startsWith('"'),
      );
      if (key < 0) return with_(chance.pick(numbers));
      const twin = `${words[key]!.word}:${chance.pick(["0", "1", "null", '"x"', "[]", "{}"])},`;
      return text.slice(0, words[key]!.at) + twin + text.slice(words[key]!.at);
    }
    case 3:
      return with_(chance.pick(["[", "]", "{", "}", ":", ",", ",,", ""]));
    case 4: {
      const other = chance.pick(words.filter((each) => each.word.length > 1));
      return other === undefined ? text : with_(other.word);
    }
    case 5:
      return with_(`${"[".repeat(chance.pick([10, 6000]))}${old}`);
    case 6:
      return with_(
        `${chance.pick([" ", "\t", "\n", "\r", "\f", "\u00a0", "\u2028", "/* */", "// x\n", "\ufeff"])}${old}`,
      );
    case 7:
      return isKey
        ? with_(chance.pick(['"__proto__"', '"constructor"', '""', '"length"', '"a.b"']))
        : with_(chance.pick(["true", "null", "{}", '""']));
    default:
      return chance.pick([`\ufeff${text}`, `${text}\0`, `${text}x`, text.slice(0, at), `${text}\n${text}`]);
  }
}

export const jsonWords: Mutator = (bytes, chance) => {
  let text = bytes.toString("utf8");
  for (let times = 1 + chance.below(2); times > 0; times--) text = changedWords(text, chance);
  return Buffer.from(text);
};

/** Of files with one value a line. */
export const jsonLineWords: Mutator = (bytes, chance) => {
  const lines = bytes.toString("utf8").split("\n");
  const at = chance.below(lines.length);
  lines[at] = changedWords(lines[at]!, chance);
  if (chance.happens(0.1)) return Buffer.from(lines.join(chance.pick(["\r\n", "\r", "\n\n", "\u2028"])));
  return Buffer.from(lines.join("\n"));
};
