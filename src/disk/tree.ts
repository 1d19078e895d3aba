/** The files below a folder, and taking away those that are known. */

import { readdir, rm, rmdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** Everything below a folder that is no folder, by its path inside with `/` between; none where there is no folder. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT") return [];
      throw cause;
    },
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
}

/** These files, and the folders around them that are empty then, the folder itself among them. All else stays. */
export async function removeListed(folder: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(join(folder, file), { force: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    // Those inside others first.
    .sort((a, b) => b.length - a.length);
  for (const path of [...inner, folder]) await rmdir(path).catch(() => {});
}
