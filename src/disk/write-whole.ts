/** Writes a file that is there whole or not at all. */

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { diskError } from "./disk-error.ts";

export async function writeWhole(path: string, content: Uint8Array | string): Promise<void> {
  const partial = `${path}.cuelab-partial-${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, content);
    await rename(partial, path);
  } catch (cause) {
    // Where nothing could be written there may be nothing to remove, and the cause is what people need.
    await rm(partial, { force: true }).catch(() => {});
    throw diskError(cause, path);
  }
}
