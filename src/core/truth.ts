/** Yes or no, as tables write it. */

import { CuelabError } from "./errors.ts";

const yes = ["1", "true", "yes", "y", "t"];
const no = ["0", "false", "no", "n", "f"];

export function truthOf(value: string, column: string): boolean {
  const text = value.trim().toLowerCase();
  if (yes.includes(text)) return true;
  if (no.includes(text)) return false;
  throw new CuelabError({
    kind: "input",
    what: `column "${column}" holds more than yes and no`,
    expected: "1 or 0, true or false, yes or no",
    got: JSON.stringify(value),
  });
}
