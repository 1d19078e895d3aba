/** Photos with boxes in whichever form the boxes come: a folder of XML files, a table, or COCO's JSON. */

import { stat } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { type BoxedPhotos, readBoxTable, readCocoBoxes, readImageNetBoxes } from "./imagenet-boxes/index.ts";
import { classFolderNames } from "./imagenet-boxes/layout.ts";
import { readSynsets } from "./imagenet-boxes/synsets.ts";

export interface BoxedPhotosOptions {
  /** The folder of photos. */
  images: string;
  /** A folder of PASCAL VOC XML files, a .csv or a .json. */
  boxes: string;
  /** For XML files: ImageNet's list of ids and words. */
  synsets?: string | undefined;
  /** For XML files in folders of classes: what the classes to read are called, as `classTitles` has it (all). */
  titles?: readonly string[] | undefined;
  /** For XML files: leave photos out, and list them, whose file of boxes is broken or that are missing. */
  skipBroken?: boolean | undefined;
}

export async function openBoxedPhotos({
  images,
  boxes,
  synsets,
  titles,
  skipBroken,
}: BoxedPhotosOptions): Promise<
  BoxedPhotos & {
    /** What people call a class. */
    title: (className: string) => string;
  }
> {
  const found = await stat(boxes).catch(() => undefined);
  if (found?.isDirectory()) {
    const classes = titles && (await classesCalled(titles, images, synsets));
    return readImageNetBoxes({ images, annotations: boxes, classes, synsets, skipBroken });
  }
  if (skipBroken === true) {
    throw new CuelabError({
      kind: "usage",
      what: "broken boxes can be left out of XML files alone",
      where: boxes,
      todo: "correct them, and leave skipBroken away",
    });
  }
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

/**
 * Folders of all the classes that are called so, also those from which a name in brackets tells them apart. Undefined
 * where some name has no folder: only who has read all classes can say which there are.
 */
async function classesCalled(
  titles: readonly string[],
  images: string,
  synsets: string | undefined,
): Promise<string[] | undefined> {
  const words = synsets === undefined ? undefined : await readSynsets(synsets);
  const folders = (await classFolderNames(images)).map((name) => ({ name, title: words?.get(name) ?? name }));
  const called = titles.map((text) =>
    folders.filter(({ title }) => text === title || text.startsWith(`${title} (`)),
  );
  if (called.some(({ length }) => length === 0)) return undefined;
  return [...new Set(called.flat().map(({ name }) => name))];
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
