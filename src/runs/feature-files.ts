/** What a folder of features consists of. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FolderContent } from "../disk/output-folder.ts";
import { isPartial } from "../disk/partial-name.ts";

export const featureFiles = {
  features: "features.npy",
  examples: "examples.parquet",
  about: "features.json",
  head: "head.safetensors",
} as const;

/** Features of a view, which image each row is of and was mixed with, and how much of it is still its own. */
export function viewFiles(name: string): { features: string; rows: string; shares: string } {
  return {
    features: `view-${name}.npy`,
    rows: `view-${name}.rows.npy`,
    shares: `view-${name}.shares.npy`,
  };
}

const ofView = /^view-[a-z0-9-]+(\.rows|\.shares)?\.npy$/;

export const featureContent: FolderContent = {
  name: "features",
  already: "features are there already",
  // Damaged ones too: those are the ones to extract again.
  ownIn: async (folder) => {
    const known: readonly string[] = Object.values(featureFiles);
    const isOwn = (path: string) => known.includes(path) || ofView.test(path) || isPartial(path);
    return existsSync(join(folder, featureFiles.about)) ? isOwn : undefined;
  },
};
