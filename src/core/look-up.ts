/** Look-ups by a text that must be there. */

import { CuelabError } from "./errors.ts";

interface ByName<Value> {
  get(name: string): Value | undefined;
}

/** What is not there is a mistake of the program, told by what was looked for instead of somewhere later. */
export function lookUp<Value>(all: ByName<Value>, name: string): Value {
  return mustBe(all.get(name), name);
}

/** The same for what was found in another way. */
export function mustBe<Value>(found: Value | undefined, name: string): Value {
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "failure",
    what: `nothing is known by the name ${JSON.stringify(name)}`,
    todo: "this is a mistake of the program; please report it with the command that led here",
  });
}
