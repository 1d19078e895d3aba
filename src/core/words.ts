/** How sentences and tables say shares and lists. */

/** 12.3%, or a dash where there is nothing. */
export function percentText(share: number | null): string {
  return share === null ? "–" : `${fixedText(100 * share, 1)}%`;
}

/** How an empty value is called where it stands among others. */
export const noValue = "(none)";

/** A value of a column, in words. */
export function valueText(value: string): string {
  return value === "" ? noValue : value;
}

/** How columns of numbers write that there is nothing. */
const missingNumbers = new Set(["", "nan", "na", "n/a", "null", "none", "-"]);

/** Whether a cell among numbers has none. */
export function isMissing(text: string): boolean {
  return missingNumbers.has(text.toLowerCase());
}

/** With so many digits behind the point; what rounds to nothing has no sign. */
export function fixedText(value: number, digits: number): string {
  return value.toFixed(digits).replace(/^-(0(?:\.0*)?)$/, "$1");
}

/** Names as a sentence has them: "a, b and c". Those that hold commas themselves are told apart by semicolons. */
export function listText(names: readonly string[], most = Number.POSITIVE_INFINITY): string {
  const between = names.some((name) => name.includes(",")) ? "; " : ", ";
  const last = between === "; " ? "; and" : " and";
  if (names.length > most)
    return `${names.slice(0, most).join(between)}${last} ${(names.length - most).toLocaleString("en")} more`;
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(between)}${last} ${names.at(-1)}`;
}

/** As a sentence begins. Not for what begins with a cue: that is a name. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What tables are called above what was found in them: by their names, with the folder that tells one run from another. */
export function tablesAbout(files: readonly string[]): {
  heading: string;
  facts: readonly (readonly [string, string])[];
} {
  const names = files.map((file) => file.split(/[/\\]/).slice(-2).join("/"));
  const whole = names.every((name, i) => name === files[i]);
  const heading = files.length === 1 ? names[0]! : `${files.length} tables: ${names.join(", ")}`;
  return { heading, facts: whole ? [] : [[files.length === 1 ? "file" : "files", files.join(", ")]] };
}
