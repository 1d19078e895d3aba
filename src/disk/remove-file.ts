/** Removes a file of ours by its name; that it is gone already is no error. */

import { rm } from "node:fs/promises";
import { diskError } from "./disk-error.ts";

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((cause: unknown) => {
    throw diskError(cause, path);
  });
}
