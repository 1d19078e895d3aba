/** What tells the folder of a dataset that we wrote from any other: it may take the place of its like. */

import type { FolderContent } from "../disk/output-folder.ts";
import { readManifest } from "./manifest.ts";

export const datasetContent: FolderContent = {
  name: "dataset",
  already: "a dataset is there already",
  isIn: async (folder) => (await readManifest(folder).catch(() => undefined)) !== undefined,
};
