/** Photos with boxes in whichever form the boxes come: a folder of XML files, a table, or COCO's JSON. */

import { stat } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { type BoxedPhotos, readBoxTable, readCocoBoxes, readImageNetBoxes } from "./imagenet-boxes/index.ts";

export interface BoxedPhotosOptions {
  /** The folder of photos. */
  images: string;
  /** A folder of PASCAL VOC XML files, a .csv or a .json. */
  boxes: string;
  /** For XML files: ImageNet's list of ids and words. */
  synsets?: string | undefined;
}

export async function openBoxedPhotos({ images, boxes, synsets }: BoxedPhotosOptions): Promise<
  BoxedPhotos & {
    /** What people call a class. */
    title: (className: string) => string;
  }
> {
  const found = await stat(boxes).catch(() => undefined);
  if (found?.isDirectory()) return readImageNetBoxes({ images, annotations: boxes, synsets });
  if (synsets !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "a list of ids and words is for XML files; other boxes name their classes themselves",
      where: boxes,
      todo: "leave synsets away",
    });
  }
  const title = (className: string) => className;
  const ending = boxes.slice(boxes.lastIndexOf(".") + 1).toLowerCase();
  if (found !== undefined && ending === "csv")
    return { ...(await readBoxTable({ images, table: boxes })), title };
  if (found !== undefined && ending === "json")
    return { ...(await readCocoBoxes({ images, annotations: boxes })), title };
  throw new CuelabError({
    kind: "input",
    what: found === undefined ? "there are no such boxes" : "this is no file of boxes that can be read",
    where: boxes,
    expected:
      "a folder of PASCAL VOC XML files, a .csv (file, class, left, top, width, height) or a COCO .json",
  });
}

/** What people call each class, by its own name; where two are called alike, as ImageNet's two cranes, with that name. */
export function classTitles(
  classNames: readonly string[],
  title: (className: string) => string,
): Map<string, string> {
  const titles = classNames.map(title);
  const alike = (text: string) => titles.indexOf(text) !== titles.lastIndexOf(text);
  return new Map(
    classNames.map((name, i) => [name, alike(titles[i]!) ? `${titles[i]} (${name})` : titles[i]!]),
  );
}
