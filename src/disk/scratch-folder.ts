/** A folder for what is needed for a moment, and is gone afterwards. */

import { temporaryFolder } from "./make-folder.ts";

export async function withScratchFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await temporaryFolder("scratch");
  try {
    return await use(folder.path);
  } finally {
    await folder.remove();
  }
}
