/** Photos with the boxes of what they show, from any of the formats that boxes come in. */

import { join } from "node:path";
import type { Box } from "../../core/box.ts";
import type { Pixels, SkippedImage, SourceRecord } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { filesDigest, readPhoto } from "../../sources/photo-files.ts";

/** A photo and all boxes of one class in it. */
export interface BoxedPhoto {
  /** Below the folder of photos, with forward slashes. */
  file: string;
  className: string;
  width: number;
  height: number;
  /** At least one, in the order of the annotations. */
  boxes: readonly Box[];
  /** File and item of the annotation, for messages. */
  origin: string;
}

export interface BoxedPhotos {
  readonly photos: readonly BoxedPhoto[];
  /** Sorted. */
  readonly classNames: readonly string[];
  path(index: number): string;
  /** The whole photo, RGB; throws where it has another size than its annotation says. */
  pixels(index: number): Promise<Pixels>;
  readonly record: SourceRecord;
  readonly skipped: readonly SkippedImage[];
}

/** Photos are checked to be there, and decoded when asked for. */
export async function boxedPhotos(
  folder: string,
  photos: readonly BoxedPhoto[],
  source: Omit<SourceRecord, "sha256"> & { sha256: Record<string, string> },
  skipped: readonly SkippedImage[],
): Promise<BoxedPhotos> {
  const path = (index: number) => join(folder, photos[index]!.file);
  const files = [...new Set(photos.map(({ file }) => file))];
  return {
    photos,
    classNames: [...new Set(photos.map(({ className }) => className))].sort(),
    path,
    pixels: async (index) => {
      const image = await readPhoto(path(index));
      const { width, height, origin } = photos[index]!;
      if (image.width === width && image.height === height) return image;
      throw new CuelabError({
        kind: "input",
        what: "a photo has another size than its annotation says",
        where: path(index),
        expected: `${width} × ${height} (${origin})`,
        got: `${image.width} × ${image.height}`,
        todo: "use the photos as published, not resized; or correct the annotation",
      });
    },
    record: {
      name: source.name,
      license: source.license,
      sha256: { ...source.sha256, "photos (names and sizes)": await filesDigest(folder, files) },
    },
    skipped,
  };
}

/** A box that has an area and lies within its image; `where` names file and item. */
export function checkedBox(box: Box, size: { width: number; height: number }, where: string): Box {
  const { left, top, width, height } = box;
  const numbers = `left ${left}, top ${top}, width ${width}, height ${height}`;
  if (![left, top, width, height].every(Number.isInteger)) {
    throw new CuelabError({
      kind: "input",
      what: "a box is not given in whole pixels",
      where,
      expected: "whole numbers",
      got: numbers,
    });
  }
  if (width <= 0 || height <= 0) {
    throw new CuelabError({
      kind: "input",
      what: "a box is empty",
      where,
      expected: "a width and a height of at least one pixel",
      got: numbers,
      todo: "correct the annotation, or leave such images out",
    });
  }
  if (left < 0 || top < 0 || left + width > size.width || top + height > size.height) {
    throw new CuelabError({
      kind: "input",
      what: "a box lies outside its image",
      where,
      expected: `within ${size.width} × ${size.height}`,
      got: numbers,
      todo: "correct the annotation, or leave such images out",
    });
  }
  return { left, top, width, height };
}
