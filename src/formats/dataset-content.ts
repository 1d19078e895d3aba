/** What tells the folder of a dataset that we wrote from any other, and its files from what people put among them. */

import type { FolderContent } from "../disk/output-folder.ts";
import { isPartial } from "../disk/partial-name.ts";
import { baseFolder } from "../layouts/urban-cars-layout.ts";
import { boxesName } from "./boxes.ts";
import { contactSheetName } from "./card/contact-sheet.ts";
import { imageFiles } from "./croissant-fields.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { sidesFolder } from "./side-images.ts";

export const cardName = "README.md";
export const croissantName = "croissant.json";

export const datasetContent: FolderContent = {
  name: "dataset",
  already: "a dataset is there already",
  ownIn: async (folder) => {
    const manifest = await readManifest(folder).catch(() => undefined);
    return manifest && ownFiles(manifest);
  },
};

/** Images are told by their names: the manifest lists none that has a file of its own. */
function ownFiles({ files, splits, encoding, sideImages = [], boxes }: Manifest): (path: string) => boolean {
  const known = new Set([
    manifestName,
    cardName,
    croissantName,
    contactSheetName,
    ...(boxes === undefined ? [] : [boxesName]),
    ...files.map(({ path }) => path),
  ]);
  const extensions = new Set(imageFiles(encoding).extensions);
  const sides = new Set(sideImages.map(({ name }) => name));
  return (path) => {
    const parts = path.split("/");
    const name = parts.pop()!;
    if (known.has(path) || isPartial(name)) return true;
    // 000012.png, and of UrbanCars 000_mask.png beside it.
    const [, position, beside, extension = ""] = /^(\d{3,})(?:_(\w[\w-]*))?\.(\w+)$/.exec(name) ?? [];
    const place = placeOf(parts);
    if (position === undefined || place === undefined) return false;
    const side = place.side ?? beside;
    const isKind = side === undefined ? extensions.has(extension) : sides.has(side) && extension === "png";
    return isKind && Number(position) < (splits[place.split] ?? 0);
  };
}

/** Whose images lie in a folder: `train`, `sides/mask/train`, `urbancars/bg-0.95_co_occur_obj-0.95/train/obj-…`. */
function placeOf(folders: readonly string[]): { split: string; side?: string } | undefined {
  const [first = "", second = "", third = ""] = folders;
  if (folders.length === 1) return { split: first };
  if (folders.length === 3 && first === sidesFolder) return { split: third, side: second };
  return folders.length === 4 && first === baseFolder ? { split: third } : undefined;
}
