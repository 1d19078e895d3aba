/** Makes folders to write to, before the work whose results go there. */

import { access, constants, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { diskError } from "./disk-error.ts";

/** There afterwards, with those above it, and may be written to. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (cause) {
    throw diskError(cause, path);
  }
}

/** The folder of a file that will be written; where a folder has the file's name, that is said. */
export async function makeFolderOf(file: string): Promise<void> {
  await makeFolder(dirname(file));
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory() === true)
    throw diskError(Object.assign(new Error("it is a folder"), { code: "EISDIR" }), file);
}
