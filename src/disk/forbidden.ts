/** What may not be read. */

import { CuelabError } from "../core/errors.ts";

/** The same error in words, where it is that reading is not allowed. */
export function forbidden(cause: unknown, path: string): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof CuelabError || (code !== "EACCES" && code !== "EPERM")) return cause;
  return new CuelabError({
    kind: "input",
    what: "not allowed to read",
    where: path,
    got: (cause as Error).message,
    todo: "ask the owner for the right to read it, or copy what you may read",
    cause,
  });
}
