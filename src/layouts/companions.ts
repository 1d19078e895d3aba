/** Files that go with images by their names, in a folder of their own: masks, inpainted or stylised copies. */

import { readdir } from "node:fs/promises";
import { dirname, extname, join, parse, resolve } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { imageExtensions } from "../images/file-kind.ts";
import { requireFolder } from "../sources/photo-files.ts";

export interface Companions {
  /** The file of the same name as a photograph, whatever its ending; throws where there is none. */
  path(file: string): Promise<string>;
  /** Throws where one of these photographs has none. */
  requireAll(files: readonly string[]): Promise<void>;
}

/** `setting` is what the folder was given by, and `what` is in it. */
export async function openCompanions(setting: string, folder: string, what: string): Promise<Companions> {
  const root = resolve(folder);
  await requireFolder(root, `${what}, by the names of the photographs (${setting})`);
  const listings = new Map<string, Promise<Map<string, string>>>();
  const find = async (file: string): Promise<string | undefined> => {
    const below = dirname(file);
    const listing = listings.get(below) ?? listFolder(join(root, below));
    listings.set(below, listing);
    const name = (await listing).get(parse(file).name);
    return name === undefined ? undefined : join(root, below, name);
  };
  const missing = (first: string, got: string) =>
    new CuelabError({
      kind: "input",
      what: `photographs have no file of the same name in ${setting}`,
      where: root,
      expected: `${join(dirname(first), parse(first).name)} with one of the endings ${imageExtensions.join(", ")}, in capitals or not`,
      got,
      todo: `complete ${setting}, or leave such photographs out`,
    });
  return {
    path: async (file) => {
      const found = await find(file);
      if (found === undefined) throw missing(file, `none for ${file}`);
      return found;
    },
    requireAll: async (files) => {
      const without: string[] = [];
      for (const file of files) if ((await find(file)) === undefined) without.push(file);
      const [first] = without;
      if (first !== undefined)
        throw missing(first, `none for ${without.length} of ${files.length} photographs, the first ${first}`);
    },
  };
}

/** Names of images by their names without endings; of several the one whose ending is listed first. */
async function listFolder(folder: string): Promise<Map<string, string>> {
  const rank = (name: string) => imageExtensions.indexOf(extname(name).slice(1).toLowerCase() as "png");
  const names = (await readdir(folder).catch(() => [])).filter((name) => rank(name) >= 0).sort();
  // The last of equals stays in a map.
  return new Map(names.sort((a, b) => rank(b) - rank(a)).map((name) => [parse(name).name, name]));
}
