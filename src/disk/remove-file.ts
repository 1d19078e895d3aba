/** Removes a file or folder of ours by its name; that it is gone already is no error. */

import { rm } from "node:fs/promises";
import { diskError } from "./disk-error.ts";

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch((cause: unknown) => {
    throw diskError(cause, path);
  });
}

/** Removes a folder of ours with all that is in it. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true }).catch((cause: unknown) => {
    throw diskError(cause, path);
  });
}
