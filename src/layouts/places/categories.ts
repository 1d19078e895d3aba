/**
 * Where the folders of categories lie: `train/garage-outdoor` (Places365-Standard), `data_256/g/garage/outdoor` (as the
 * category list writes it), or right there. A category found in several places, such as `train` and `val`, has all their
 * images, as in UrbanCars.
 */

import { opendir, readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { nearest } from "../../core/nearest.ts";
import { imageExtensions } from "../../images/file-kind.ts";
import { reasonOf } from "../../sources/image-folder.ts";

const known = new Set<string>(imageExtensions);
/** A copy is not nested deeper than this: places365/data_256/g/garage/outdoor. */
const deepest = 6;

/** Category → its folders, relative to the root, with forward slashes, in the order of their names. */
export async function findCategories(
  root: string,
  categories: readonly string[],
): Promise<Map<string, string[]>> {
  const wanted = new Map(categories.map((name) => [keyOf(name), name]));
  const found = new Map(categories.map((name) => [name, [] as string[]]));
  const seen: string[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const name of await foldersIn(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      // A category may be one folder, or two: garage-outdoor, garage/outdoor.
      const category = wanted.get(keyOf(name)) ?? wanted.get(keyOf(path.split("/").slice(-2).join("-")));
      seen.push(name);
      if (category !== undefined) lookUp(found, category).push(path);
      else if (depth < deepest && !(await holdsImages(join(root, path)))) await walk(path, depth + 1);
    }
  };
  await walk("", 1);
  for (const [category, places] of found) {
    if (places.length === 0) throw unknownCategory(category, root, seen);
  }
  return found;
}

/** `garage-outdoor`, `garage/outdoor` and `garage_outdoor` are one. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[-/_ ]+/g, "_");
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .filter((name) => !known.has(extname(name).slice(1).toLowerCase()))
      .sort();
  } catch (cause) {
    // A link to a file, found where folders are looked for.
    if ((cause as NodeJS.ErrnoException).code === "ENOTDIR") return [];
    throw new CuelabError({
      kind: "input",
      what: "cannot read the folder",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
}

/** Whether the first entry is an image: hundreds of folders of other categories need not be listed whole. */
async function holdsImages(path: string): Promise<boolean> {
  try {
    for await (const entry of await opendir(path)) {
      if (entry.name.startsWith(".")) continue;
      return known.has(extname(entry.name).slice(1).toLowerCase());
    }
  } catch {
    return true;
  }
  return true;
}

function unknownCategory(category: string, root: string, seen: readonly string[]): CuelabError {
  const close = nearest(category, seen);
  return new CuelabError({
    kind: "input",
    what: `there is no folder of the category "${category}"`,
    where: root,
    expected: `a folder ${category} at any depth, such as train/${category}`,
    got:
      seen.length === 0
        ? "no folders"
        : `folders ${seen.slice(0, 8).join(", ")}${seen.length > 8 ? ", …" : ""}`,
    todo:
      close === undefined
        ? "unpack the archive first, or name the folder that holds it"
        : `did you mean "${close}"?`,
  });
}
