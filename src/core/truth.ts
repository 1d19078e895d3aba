/** Yes or no, as tables write it. */

import { CuelabError } from "./errors.ts";

const yes = ["1", "true", "yes", "y", "t"];
const no = ["0", "false", "no", "n", "f"];

export function truthOf(value: string, column: string): boolean {
  const truth = truthIn(value);
  if (truth !== undefined) return truth;
  throw new CuelabError({
    kind: "input",
    what: `column "${column}" holds more than yes and no`,
    expected: "1 or 0, true or false, yes or no",
    got: JSON.stringify(value),
  });
}

/** Undefined where the text says neither. */
export function truthIn(value: string): boolean | undefined {
  const text = value.trim().toLowerCase();
  return yes.includes(text) ? true : no.includes(text) ? false : undefined;
}
