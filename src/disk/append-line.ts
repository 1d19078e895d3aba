/** Adds a line to a file of lines, such as a log: in one write, so that two processes never mix theirs. */

import { open } from "node:fs/promises";
import { diskError } from "./disk-error.ts";

export async function appendLine(path: string, line: string): Promise<void> {
  try {
    const file = await open(path, "a");
    try {
      await file.write(`${line}\n`);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw diskError(cause, path);
  }
}
