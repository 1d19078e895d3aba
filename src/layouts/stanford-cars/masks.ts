/** Finds the mask of each image in a folder that mirrors the images' folder, or a part of it, or is flat. */

import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { listImages } from "../../sources/list-images.ts";

/** For each image the path of its mask below the folder of masks; undefined where there is none. */
export async function findMasks(folder: string, images: readonly string[]): Promise<(string | undefined)[]> {
  const there = new Set(await listImages(folder));
  const owners = new Map<string, string>();
  return images.map((image) => {
    const mask = candidates(image).find((name) => there.has(name));
    if (mask === undefined) return undefined;
    const other = owners.get(mask);
    if (other !== undefined) {
      throw new CuelabError({
        kind: "input",
        what: "two images have the same mask",
        where: join(folder, mask),
        expected: "a mask of its own for every image",
        got: `${other} and ${image}`,
        todo: "put masks into the same folders as images: cars_train/00001.png and cars_test/00001.png",
      });
    }
    owners.set(mask, image);
    return mask;
  });
}

/** `a/b/00001.jpg` → `a/b/00001.png`, `a/b/00001_mask.png`, then the same in `b/` and in the folder itself. */
export function candidates(image: string): string[] {
  const parts = image.replace(/\.[^./]*$/, "").split("/");
  return parts.flatMap((_, i) => {
    const ending = parts.slice(i).join("/");
    return [`${ending}.png`, `${ending}_mask.png`];
  });
}
