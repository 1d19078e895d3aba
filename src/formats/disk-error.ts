/** Says what the system's short codes for a full, locked or read-only disk mean. */

import { CuelabError } from "../core/errors.ts";

const diskProblems: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "a file grew larger than is allowed here",
  EACCES: "writing there is not allowed",
  EPERM: "writing there is not allowed",
  EROFS: "the disk is read-only",
};

/** The same error in words, where it is about the disk. */
export function diskError(cause: unknown, out: string): unknown {
  const { code = codeInMessage(cause) } = cause as NodeJS.ErrnoException;
  const what = code === undefined ? undefined : diskProblems[code];
  if (what === undefined) return cause;
  return new CuelabError({
    kind: "failure",
    what,
    where: out,
    got: (cause as Error).message,
    todo: "make room or choose another --out; nothing half-made was left behind",
    cause,
  });
}

/** Errors lose their code on the way out of a worker thread, but keep their text. */
function codeInMessage(cause: unknown): string | undefined {
  return /^(E[A-Z]+): /.exec((cause as Error).message)?.[1];
}
