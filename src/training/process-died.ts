/** A process of ours that ended without a word. */

import { CuelabError } from "../core/errors.ts";

export function processDied(
  what: string,
  code: number | null,
  signal: NodeJS.Signals | null,
  todo: string,
): CuelabError {
  return new CuelabError({
    kind: "failure",
    what,
    got:
      signal === null
        ? `exit code ${code}`
        : `signal ${signal}${signal === "SIGKILL" ? " (out of memory?)" : ""}`,
    todo,
  });
}
