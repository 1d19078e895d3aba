/** Where the parts of somebody's copy of CelebA lie: as published, flat as most people have it, or as on Kaggle. */

import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CuelabError } from "../../core/errors.ts";

export interface CelebaPlaces {
  /** `list_attr_celeba`, 40 attributes an image. */
  attributes: string;
  /** `list_eval_partition`, a split an image. */
  partition: string;
  /** The folder of the aligned and cropped faces. */
  images: string;
}

/** First those of a flat folder, then those of the published one. */
const attributeLists = places(["", "Anno"], "list_attr_celeba");
const partitionLists = places(["", "Eval"], "list_eval_partition");
/** Archives unpack to a folder of their own name, often inside another of that name. */
const imageFolders = ["img_align_celeba", "Img/img_align_celeba"].flatMap((name) => [
  `${name}/img_align_celeba`,
  name,
]);

export async function locateCeleba(folder: string): Promise<CelebaPlaces> {
  const root = resolve(folder);
  const found = await stat(root).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new CuelabError({
      kind: "input",
      what: found === undefined ? "there is no such folder" : "this is a file and no folder",
      where: root,
      expected:
        "a folder with your copy of CelebA: list_attr_celeba.txt, list_eval_partition.txt, img_align_celeba",
      todo: "set folder to where you keep it; relative paths count from the present folder",
    });
  }
  return {
    attributes: await firstOf(root, attributeLists, "the list of attributes", isFile),
    partition: await firstOf(root, partitionLists, "the list of splits", isFile),
    images: await firstOf(root, imageFolders, "the folder of aligned images", isFolder),
  };
}

/** Whether a folder with these entries is a copy of CelebA. */
export function looksLikeCeleba(names: readonly string[]): boolean {
  return (
    attributeLists.some((list) => names.includes(list)) ||
    ["Anno", "Eval", "Img"].every((name) => names.includes(name))
  );
}

function places(folders: readonly string[], name: string): string[] {
  return folders.flatMap((folder) => [`${name}.txt`, `${name}.csv`].map((file) => join(folder, file)));
}

async function firstOf(
  root: string,
  candidates: readonly string[],
  what: string,
  fits: (path: string) => Promise<boolean>,
): Promise<string> {
  for (const candidate of candidates) {
    const path = join(root, candidate);
    if (await fits(path)) return path;
  }
  const there = (await readdir(root)).filter((name) => !name.startsWith(".")).sort();
  throw new CuelabError({
    kind: "input",
    what: `${what} is missing`,
    where: root,
    expected: `one of: ${candidates.join(", ")}`,
    got:
      there.length === 0
        ? "an empty folder"
        : there.slice(0, 10).join(", ") + (there.length > 10 ? ", …" : ""),
    todo: there.some((name) => /\.(zip|7z|tar|gz)(\.\d+)?$/.test(name))
      ? "unpack the archives first"
      : "set folder to the one that holds the lists and img_align_celeba",
  });
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
