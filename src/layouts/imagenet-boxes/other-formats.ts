/** Boxes of any other images: a table, or COCO's format. */

import { createHash } from "node:crypto";
import { basename, join, resolve } from "node:path";
import type { Box } from "../../core/box.ts";
import { decimalOf } from "../../core/decimal-of.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { photoSize, requireFolder, sharedIndex } from "../../sources/photo-files.ts";
import { readTable, type TableRow } from "../../sources/table.ts";
import { type CocoAnnotation, readAnnotations } from "../coco/annotations.ts";
import { photoFinder } from "../coco/files.ts";
import { type BoxedPhoto, type BoxedPhotos, boxedPhotos, checkedBox } from "./boxed-photos.ts";

const license = "yours";

export interface BoxTableOptions {
  images: string;
  /** CSV with file, class, left, top, width, height; imageWidth and imageHeight save looking into the images. */
  table: string;
}

/** In the order of the table; boxes of one class in one file are together. */
export async function readBoxTable(options: BoxTableOptions): Promise<BoxedPhotos> {
  const [folder, table] = [resolve(options.images), resolve(options.table)];
  await requireFolder(folder, "the images that the table is about");
  const { photos, sha256 } = await sharedIndex(`box-table:${folder} ${table}`, async () => {
    const rows = await readTable(table, ["file", "class", "left", "top", "width", "height"]);
    const photos = new Map<string, BoxedPhoto & { boxes: Box[] }>();
    for (const row of rows) await addRow(photos, row, folder, `${table}, line ${row.line}`);
    return {
      photos: [...photos.values()],
      sha256: createHash("sha256")
        .update(await readPlain(table))
        .digest("hex"),
    };
  });
  const source = { name: `images of ${folder}`, license, sha256: { [basename(table)]: sha256 } };
  return boxedPhotos(folder, photos, source, []);
}

async function addRow(
  photos: Map<string, BoxedPhoto & { boxes: Box[] }>,
  { values }: TableRow,
  folder: string,
  where: string,
): Promise<void> {
  const { file = "", class: className = "" } = values;
  if (file === "" || className === "") {
    throw new CuelabError({ kind: "input", what: "a row names no file or no class", where });
  }
  const key = `${file}\n${className}`;
  let photo = photos.get(key);
  if (photo === undefined) {
    const said = { width: numberOf(values.imageWidth), height: numberOf(values.imageHeight) };
    const size = Number.isNaN(said.width + said.height) ? await photoSize(join(folder, file)) : said;
    photo = { file, className, ...size, boxes: [], origin: where };
    photos.set(key, photo);
  }
  const [left, top, width, height] = ["left", "top", "width", "height"].map((name) => numberOf(values[name]));
  const box = { left: left!, top: top!, width: width!, height: height! };
  photo.boxes.push(checkedBox(box, photo, where));
}

function numberOf(text: string | undefined): number {
  return decimalOf(text ?? "");
}

export interface CocoBoxesOptions {
  images: string;
  annotations: string;
  /** Names of categories (all). */
  categories?: readonly string[] | undefined;
}

/** In the order of the file; boxes of one category in one photo are together. Crowds are left out. */
export async function readCocoBoxes(options: CocoBoxesOptions): Promise<BoxedPhotos> {
  const [folder, path] = [resolve(options.images), resolve(options.annotations)];
  await requireFolder(folder, "the photos that the annotations are about");
  const key = `coco-boxes:${JSON.stringify([folder, path, options.categories])}`;
  const { photos, sha256 } = await sharedIndex(key, async () => {
    const { annotations, sha256 } = await readAnnotations(path, options.categories);
    const find = photoFinder(folder);
    const photos = new Map<string, BoxedPhoto & { boxes: Box[] }>();
    for (const annotation of annotations) {
      if (annotation.crowd) continue;
      const where = `${path}, annotation ${annotation.id}`;
      const { category, files, width, height } = annotation;
      const key = `${files[0]}\n${category}`;
      const photo = photos.get(key) ?? {
        file: (await find(files)) ?? files[0]!,
        className: category,
        width,
        height,
        boxes: [],
        origin: where,
      };
      photos.set(key, photo);
      photo.boxes.push(boxOf(annotation, where));
    }
    return { photos: [...photos.values()], sha256 };
  });
  const source = { name: `images of ${folder}`, license, sha256: { [basename(path)]: sha256 } };
  return boxedPhotos(folder, photos, source, []);
}

/** COCO's boxes have fractions of pixels: the whole pixels that they touch, where they may pass the border by rounding. */
function boxOf({ bbox, width, height }: CocoAnnotation, where: string): Box {
  if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(Number.isFinite)) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no box",
      where,
      expected: '"bbox" with left, top, width and height',
      got: JSON.stringify(bbox) ?? "none",
    });
  }
  const span = (from: number, length: number, end: number): [number, number] => {
    const first = Math.floor(from);
    const last = Math.ceil(from + length);
    return [first, (last === end + 1 ? end : last) - first];
  };
  const [left, across] = span(bbox[0], bbox[2], width);
  const [top, down] = span(bbox[1], bbox[3], height);
  return checkedBox(
    { left, top, width: bbox[2] > 0 ? across : 0, height: bbox[3] > 0 ? down : 0 },
    { width, height },
    where,
  );
}
