/** Where the files of annotations and the photos of COCO and LVIS lie. */

import { access, readdir, stat } from "node:fs/promises";
import { join, posix, resolve } from "node:path";
import { CuelabError } from "../../core/errors.ts";

/** The file itself, or LVIS's two files of a folder, or COCO's. */
export async function annotationFiles(place: string): Promise<string[]> {
  const path = resolve(place);
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile()) return [path];
  const names = found === undefined ? [] : (await readdir(path)).sort();
  const lvis = names.filter((name) => /^lvis_v\d[\w.]*_(train|val)\.json$/.test(name));
  const coco = names.filter((name) => /^instances_\w+\.json$/.test(name));
  const chosen = lvis.length > 0 ? lvis : coco;
  if (chosen.length > 0) return chosen.map((name) => join(path, name));
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "there are no annotations" : "the folder has no annotations",
    where: path,
    expected:
      "a JSON file in COCO's format, or a folder with lvis_v1_train.json, lvis_v1_val.json or instances_*.json",
    todo: names.some((name) => name.endsWith(".zip"))
      ? "unpack the archives first"
      : "say where you keep it; relative paths count from the present folder",
  });
}

/** Finds the first of a photo's names that is there, also inside the folders of COCO's splits. */
export function photoFinder(folder: string): (names: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, string | undefined>();
  const find = async (names: readonly string[]) => {
    const tries = names.flatMap((name) => [
      name,
      ...(name.includes("/") ? [] : ["train2017", "val2017"].map((split) => posix.join(split, name))),
    ]);
    for (const name of tries) {
      const there = await access(join(folder, name)).then(
        () => true,
        () => false,
      );
      if (there) return name;
    }
    return undefined;
  };
  return async (names) => {
    const key = names[0]!;
    if (!known.has(key)) known.set(key, await find(names));
    return known.get(key);
  };
}
