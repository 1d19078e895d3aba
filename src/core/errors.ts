/** The one error people see: what happened, where, what was expected, what was found, and what to do next. */

/** Decides the exit code: wrong usage 2, bad input 3, anything that failed while working 1. */
export type ErrorKind = "usage" | "input" | "failure";

export interface ErrorParts {
  kind: ErrorKind;
  /** One short sentence without a full stop: `unknown dataset "colored-mnst"`. */
  what: string;
  /** File, row, column, setting or command that it is about. */
  where?: string;
  expected?: string;
  got?: string;
  /** The next thing to type or change. */
  todo?: string;
  cause?: unknown;
}

export class CuelabError extends Error {
  readonly kind: ErrorKind;
  readonly parts: ErrorParts;

  constructor(parts: ErrorParts) {
    super(messageOf(parts), parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = "CuelabError";
    this.kind = parts.kind;
    this.parts = parts;
  }
}

function messageOf({ what, where, expected, got, todo }: ErrorParts): string {
  const lines = [what];
  if (where !== undefined) lines.push(`  where: ${where}`);
  if (expected !== undefined) lines.push(`  expected: ${expected}`);
  if (got !== undefined) lines.push(`  got: ${got}`);
  if (todo !== undefined) lines.push(`  try: ${todo}`);
  return lines.join("\n");
}
