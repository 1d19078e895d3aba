/** Says what the system's short codes for a full, locked or read-only disk, or for a file in the way, mean. */

import { CuelabError } from "../core/errors.ts";

const diskProblems: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "a file grew larger than is allowed here",
  EACCES: "writing there is not allowed",
  EPERM: "writing there is not allowed",
  EROFS: "the disk is read-only",
};

/** About the path that was asked for, rather than the disk. */
const pathProblems: Record<string, string> = {
  EEXIST: "there is a file already where a folder is needed",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "there is a folder already where a file is needed",
};

/** The same error in words, where it is about the disk. */
export function diskError(cause: unknown, out: string): unknown {
  const { code = codeInMessage(cause) } = cause as NodeJS.ErrnoException;
  if (code === undefined) return cause;
  const got = (cause as Error).message;
  const path = pathProblems[code];
  if (path !== undefined)
    return new CuelabError({
      kind: "input",
      what: path,
      where: out,
      got,
      todo: "choose another place to write to",
      cause,
    });
  const what = diskProblems[code];
  if (what === undefined) return cause;
  return new CuelabError({
    kind: "failure",
    what,
    where: out,
    got,
    todo: "make room or choose another place to write to; nothing half-made was left behind",
    cause,
  });
}

/** Errors lose their code on the way out of a worker thread, but keep their text. */
function codeInMessage(cause: unknown): string | undefined {
  return /^(E[A-Z]+): /.exec((cause as Error).message)?.[1];
}
