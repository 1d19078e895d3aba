/** How Li et al. 2023 name the folders and files of UrbanCars, and how a copy that their script made is read. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { SideImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { isSplitAlias } from "../core/split-names.ts";
import { readPlain } from "../disk/plain-file.ts";
import { decodeImage } from "../images/codec.ts";
import { ImageFiles, unreadableImage } from "../sources/image-folder.ts";
import { ReadColumn } from "./columns.ts";
import { sideFiles } from "./side-files.ts";
import type { StoredDataset } from "./stored-dataset.ts";

/** In the order of the authors' labels. */
export const worldNames = ["urban", "country"] as const;

/** Attributes that the folders' names tell, beside the label. */
export const partAttributes = ["background", "coObject"] as const;

/** The authors' code looks for this folder in its root. */
export const baseFolder = "urbancars";

/** As Python writes numbers: 1 is 1.0. */
export function correlationFolder(background: number, thing: number): string {
  const text = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value));
  return `bg-${text(background)}_co_occur_obj-${text(thing)}`;
}

export function groupFolder(label: number, background: number, thing: number): string {
  return `obj-${worldNames[label]}_bg-${worldNames[background]}_co_occur_obj-${worldNames[thing]}`;
}

const correlationPattern = /^bg-[\d.]+_co_occur_obj-[\d.]+$/;
const groupPattern = /^obj-(urban|country)_bg-(urban|country)_co_occur_obj-(urban|country)$/;

/** Pictures that may lie beside each image. */
const knownSides: readonly { name: string; channels: number; description: string }[] = [
  { name: "mask", channels: 1, description: "white where the car is" },
  { name: "co_occur_obj_mask", channels: 1, description: "white where the co-occurring object is" },
  { name: "bg_only", channels: 3, description: "the image with background repeated over both objects" },
];

/** Whether a folder with these folders in it is, or holds, such a copy. */
export async function looksLikeUrbanCars(root: string, folders: readonly string[]): Promise<boolean> {
  const inside = folders.includes(baseFolder) ? await readdir(join(root, baseFolder)) : folders;
  return inside.some((name) => correlationPattern.test(name));
}

/** The splits of a copy: folder of each, relative to the root. Undefined where there are none. */
async function findSplits(root: string): Promise<Map<string, string> | undefined> {
  const inside = await readdir(root);
  const base = inside.includes(baseFolder) ? `${baseFolder}/` : "";
  const names = base === "" ? inside : await readdir(join(root, base));
  const splits = new Map<string, string>();
  for (const correlations of names.filter((name) => correlationPattern.test(name)).sort()) {
    for (const split of (await readdir(join(root, base, correlations))).filter(isSplitAlias).sort()) {
      const folder = `${base}${correlations}/${split}`;
      const other = splits.get(split);
      if (other !== undefined) throw twoOfOne(split, [other, folder], root);
      splits.set(split, folder);
    }
  }
  return splits.size === 0 ? undefined : splits;
}

function twoOfOne(split: string, folders: readonly string[], root: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `two folders hold the split ${split}`,
    where: root,
    expected: "images of one strength of correlation",
    got: folders.join(" and "),
    todo: "keep the one you mean, and move the other elsewhere",
  });
}

/** Label, background and co-occurring object come from the folders' names; masks from the files beside the images. */
export async function openAuthorsFolders(root: string): Promise<StoredDataset> {
  const splits = await findSplits(root);
  const paths: string[] = [];
  const columns = new Map(["y", "split", ...partAttributes].map((name) => [name, new ReadColumn(name)]));
  const files = new Set<string>();
  for (const [split, folder] of splits ?? []) {
    for (const group of (await readdir(join(root, folder))).sort()) {
      const worlds = groupPattern.exec(group);
      if (worlds === null) continue;
      for (const file of (await readdir(join(root, folder, group))).sort()) {
        files.add(`${folder}/${group}/${file}`);
        if (!file.endsWith(".jpg")) continue;
        paths.push(`${folder}/${group}/${file}`);
        for (const [name, value] of [
          ["y", worlds[1]!],
          ["split", split],
          ["background", worlds[2]!],
          ["coObject", worlds[3]!],
        ] as const) {
          lookUp(columns, name).push(value);
        }
      }
    }
  }
  if (paths.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "there are no images of UrbanCars",
      where: root,
      expected: `files such as ${correlationFolder(0.95, 0.95)}/train/${groupFolder(0, 0, 0)}/000.jpg`,
    });
  }
  const { sideImages, warnings } = await sidesOf(root, paths, files);
  return {
    images: new ImageFiles(root, paths),
    columns,
    labelColumn: "y",
    table: root,
    valueOrder: Object.fromEntries(["y", ...partAttributes].map((name) => [name, worldNames])),
    sideImages,
    warnings,
  };
}

/** The kinds of pictures that every image has; the authors make backgrounds for training images only. */
async function sidesOf(
  root: string,
  paths: readonly string[],
  files: ReadonlySet<string>,
): Promise<{ sideImages: Record<string, SideImages>; warnings: string[] }> {
  const sideImages: Record<string, SideImages> = {};
  const warnings: string[] = [];
  for (const { name, channels, description } of knownSides) {
    const pathOf = (image: string) => image.replace(/\.jpg$/, `_${name}.png`);
    const there = paths.filter((path) => files.has(pathOf(path))).length;
    if (there < paths.length) {
      if (there > 0) warnings.push(`only ${there} of ${paths.length} images have a _${name}.png: left out`);
      continue;
    }
    const first = join(root, pathOf(paths[0]!));
    const { height, width } = await readPlain(first)
      .then((bytes) => decodeImage(bytes))
      .catch((cause: unknown) => {
        throw unreadableImage(first, cause);
      });
    const path = (index: number) => join(root, pathOf(paths[index]!));
    sideImages[name] = sideFiles(path, description, { height, width, channels });
  }
  return { sideImages, warnings };
}
