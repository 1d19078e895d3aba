/** Adds to the end of a file that grows, such as a log: in one write, so that two processes never mix theirs. */

import { open } from "node:fs/promises";
import { diskError } from "./disk-error.ts";

export function appendLine(path: string, line: string): Promise<void> {
  return appendBytes(path, Buffer.from(`${line}\n`, "utf8"));
}

export async function appendBytes(path: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(path, "a");
    try {
      // Not write(), which may take a part only, on a disk that is nearly full.
      await file.appendFile(bytes);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw diskError(cause, path);
  }
}
