/** What a test expects of an error: its kind, and words in its message. */

import { expect } from "vitest";
import { CuelabError, type ErrorKind } from "../../src/core/errors.ts";

export function expectError(action: () => unknown, kind: ErrorKind, ...texts: string[]): void {
  let error: unknown;
  try {
    action();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(CuelabError);
  expect((error as CuelabError).kind).toBe(kind);
  for (const text of texts) expect((error as CuelabError).message).toContain(text);
}
