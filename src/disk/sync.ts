/** Waits until files and names are on the disk, not only in the system's memory: a power cut then leaves what a rename promises. */

import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

/** At once: the disk does many together about as fast as one. */
const lanes = 16;

/** A file, or the names in a folder; systems that cannot say so for folders do it on their own. */
export async function syncPath(path: string): Promise<void> {
  const opened = await open(path, "r").catch(() => undefined);
  try {
    await opened?.sync();
  } catch (cause) {
    if (!["EINVAL", "EPERM", "EISDIR", "EBADF", "ENOTSUP"].includes((cause as { code: string }).code))
      throw cause;
  } finally {
    await opened?.close();
  }
}

/** All files and folders below a folder, and itself. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let next = 0;
  const lane = async () => {
    for (let entry = entries[next++]; entry !== undefined; entry = entries[next++])
      await syncPath(join(entry.parentPath, entry.name));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await syncPath(folder);
}
