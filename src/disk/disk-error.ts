/** Says what the system's short codes for a full, locked or read-only disk, or for a file in the way, mean. */

import { CuelabError, type ErrorKind } from "../core/errors.ts";

interface DiskProblem {
  kind: ErrorKind;
  what: string;
  todo: string;
}

const room = "make room or choose another place to write to; nothing half-made passes for finished";
const elsewhere = "choose another place to write to";
const allowed =
  "ask for the right to write there, or choose another place; nothing half-made passes for finished";
const again = "give the command again; nothing half-made passes for finished";

const problems: Record<string, DiskProblem> = {
  ENOSPC: { kind: "failure", what: "the disk is full", todo: room },
  EDQUOT: { kind: "failure", what: "the disk quota is used up", todo: room },
  EFBIG: { kind: "failure", what: "a file grew larger than is allowed here", todo: room },
  EACCES: { kind: "failure", what: "writing there is not allowed", todo: allowed },
  EPERM: { kind: "failure", what: "writing there is not allowed", todo: allowed },
  EROFS: { kind: "failure", what: "the disk is read-only", todo: elsewhere },
  EIO: {
    kind: "failure",
    what: "the disk does not work",
    todo: "see what the system says about it; choose another place to write to",
  },
  EMFILE: {
    kind: "failure",
    what: "too many files are open in this process",
    todo: "allow more, such as with 'ulimit -n 4096', or use fewer --workers",
  },
  ENFILE: {
    kind: "failure",
    what: "too many files are open on this machine",
    todo: `close other programs; ${again}`,
  },
  EBUSY: { kind: "failure", what: "the place is in use", todo: `close what uses it; ${again}` },
  ETXTBSY: { kind: "failure", what: "the place is in use", todo: `close what uses it; ${again}` },
  EXDEV: {
    kind: "failure",
    what: "the place lies on another disk than the folder around it",
    todo: "choose a folder on that disk",
  },
  ESTALE: { kind: "failure", what: "the network disk has lost the folder", todo: again },
  ENOTCONN: { kind: "failure", what: "the network disk is not connected", todo: again },
  // Folders are made before anything is written into them; one that cannot be made says this.
  ENOENT_MKDIR: { kind: "input", what: "no folder can be made there", todo: elsewhere },
  // What is opened for reading is told of by its readers; who writes has lost what it was writing to.
  ENOENT: { kind: "failure", what: "a file or folder vanished while it was being worked on", todo: again },
  ENAMETOOLONG: { kind: "input", what: "the name is too long", todo: "choose a shorter one" },
  ELOOP: { kind: "input", what: "the path leads round in links", todo: elsewhere },
  EEXIST: { kind: "input", what: "there is a file already where a folder is needed", todo: elsewhere },
  ENOTDIR: { kind: "input", what: "a part of the path is a file, not a folder", todo: elsewhere },
  EISDIR: { kind: "input", what: "there is a folder already where a file is needed", todo: elsewhere },
  ENOTEMPTY: { kind: "input", what: "the folder is not empty", todo: elsewhere },
};

const makesFolders = new Set(["mkdir", "mkdtemp"]);

/** The same error in words, where it is about the disk. */
export function diskError(cause: unknown, where: string): unknown {
  if (cause instanceof CuelabError) return cause;
  const { code = codeInMessage(cause) } = cause as NodeJS.ErrnoException;
  const { syscall } = cause as NodeJS.ErrnoException;
  const problem =
    problems[code === "ENOENT" && makesFolders.has(syscall ?? "") ? "ENOENT_MKDIR" : String(code)];
  return problem === undefined
    ? cause
    : new CuelabError({ ...problem, where, got: (cause as Error).message, cause });
}

/** Errors lose their code on the way out of a worker thread, but keep their text. */
function codeInMessage(cause: unknown): string | undefined {
  return /^(E[A-Z]+): /.exec((cause as Error).message)?.[1];
}

/** A file of a name of ours that others have written: what lies around it is none of ours either. */
export function foreignFile(path: string, name: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the folder is not empty and holds no ${name}`,
    where: path,
    got: "a file that cuelab did not write",
    todo: "choose another --out; this one is never overwritten",
  });
}

/** Something is there, and nobody said that it may be replaced. */
export function alreadyThere(path: string, { meanwhile = false } = {}): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "there is a file already",
    where: path,
    ...(meanwhile && { got: "one that appeared while this was being made" }),
    todo: "pass --force to replace it, or choose another name",
  });
}
