/**
 * The boundary that every reader of somebody's files runs behind: whatever decoders, parsers and our own code throw over bytes that
 * are not what they should be comes out as one error of ours that names the file. Failures of the disk and of the machine stay what
 * they are.
 */

import { CellError } from "../core/cell-error.ts";
import { CuelabError } from "../core/errors.ts";
import { forbidden } from "./forbidden.ts";

/** `where` is the file, and the place in it where it is known. */
export async function guarded<Result>(
  where: string,
  read: () => Result | Promise<Result>,
  what = "the file cannot be read",
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    throw asInputError(cause, where, what);
  }
}

/** `guarded` of what is read in one go. */
export function guardedNow<Result>(
  where: string,
  read: () => Result,
  what = "the file cannot be read",
): Result {
  try {
    return read();
  } catch (cause) {
    throw asInputError(cause, where, what);
  }
}

/** `guarded` of what comes in parts. */
export async function* guardedParts<Part>(
  where: string,
  parts: () => AsyncIterable<Part>,
  what = "the file cannot be read",
): AsyncGenerator<Part> {
  try {
    yield* parts();
  } catch (cause) {
    throw asInputError(cause, where, what);
  }
}

/** The error as it is where it says what to do about it, or is none of the file's. */
function asInputError(cause: unknown, where: string, what: string): unknown {
  if (cause instanceof CuelabError)
    return cause.parts.where === undefined && cause.kind === "input"
      ? new CuelabError({ ...cause.parts, where })
      : cause;
  if (cause instanceof CellError)
    return new CuelabError({ kind: "input", what: cause.message, where, ...cause.parts, cause });
  if (!(cause instanceof Error)) return cause;
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (syscall !== undefined || code === "ABORT_ERR" || cause.name === "AbortError")
    return forbidden(cause, where);
  return new CuelabError({ kind: "input", what, where, got: reason(cause), cause });
}

/** What recursion without end is called by the engine helps nobody. */
function reason({ name, message }: Error): string {
  if (name === "RangeError" && message.startsWith("Maximum call stack")) return "parts nested too deeply";
  return message.split("\n")[0] || name;
}
