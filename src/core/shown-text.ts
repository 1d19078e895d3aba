/** Texts from files as people may see them: what steers a terminal or shows other words than are there stands as �. */

/** What stands for a character that is not shown. */
const notShown = "\ufffd";

/**
 * Controls of terminals, line and paragraph separators, marks that turn the direction of a text, characters of no width,
 * and those that are none. Joiners stay where a script or a picture needs them: they would else hide within a Latin word.
 */
const unseen =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|(?<![\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|[^\P{L}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\u200c\u200d]/gu;

/** One line: a line break within a name is no line break. */
export function oneLine(text: string, instead = notShown): string {
  return text.replaceAll(unseen, instead);
}

/** Lines stay lines. */
export function shownLines(text: string): string {
  return text
    .split("\n")
    .map((line) => oneLine(line))
    .join("\n");
}

/** For JSON, where a character can stand as its number: the same value to every reader, and nothing to a terminal. */
export function numberedUnseen(json: string): string {
  return json.replaceAll(unseen, (found) => (found === "\n" ? found : asNumbers(found)));
}

function asNumbers(characters: string): string {
  const units = Array.from({ length: characters.length }, (_, i) => characters.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
