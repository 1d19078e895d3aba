/** What photos give to datasets that compose images: things cut out along their masks, and places to put them. */

import type { Box } from "../core/box.ts";
import type { Pixels, SkippedImage, SourceRecord } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { boxOfMask, type Cutout, cutByMask } from "../images/compose.ts";

/** Things in photos, by index. Nothing is decoded until it is asked for. */
export interface ObjectSource {
  readonly count: number;
  /** What the thing is, in the words of its source: `cow`, `Audi TT RS Coupe 2012`. */
  className(index: number): string;
  /** File and item, for messages. */
  describe(index: number): string;
  /** The photo that it is in; several things may be in one. */
  photo(index: number): string;
  object(index: number): Promise<PhotoObject>;
  /** The object alone, cut out along the box of its mask. */
  cutout(index: number): Promise<Cutout>;
  readonly record: SourceRecord;
  /** What was left out because it could not be used, with the reason. */
  readonly skipped: readonly SkippedImage[];
}

/** A thing in its photo. */
interface PhotoObject {
  /** The whole photo, RGB. */
  image: Pixels;
  /** Of the photo's size: 255 for the object and 0 around it. */
  mask: Uint8Array;
  /** The smallest around the mask. */
  box: Box;
}

/** Photos of places, by index. */
export interface BackgroundSource {
  readonly count: number;
  category(index: number): string;
  describe(index: number): string;
  /** RGB, resized to a square of this side without keeping its proportions, as Li et al. 2023 do. */
  pixels(index: number, size: number): Promise<Pixels>;
  readonly record: SourceRecord;
  readonly skipped: readonly SkippedImage[];
}

/** What differs between sources of masked objects. */
interface MaskedPhotosParts {
  classNames: readonly string[];
  describe: (index: number) => string;
  photo: (index: number) => string;
  load: (index: number) => Promise<{ image: Pixels; mask: Uint8Array }>;
  record: SourceRecord;
  skipped: readonly SkippedImage[];
}

export function maskedPhotos({
  classNames,
  describe,
  photo,
  load,
  record,
  skipped,
}: MaskedPhotosParts): ObjectSource {
  const empty = (index: number) =>
    new CuelabError({
      kind: "input",
      what: "a mask is empty",
      where: describe(index),
      expected: "at least one pixel of the object",
      todo: "repair the mask, or leave the image out",
    });
  return {
    count: classNames.length,
    className: (index) => classNames[index]!,
    describe,
    photo,
    record,
    skipped,
    object: async (index) => {
      const { image, mask } = await load(index);
      const box = boxOfMask(mask, image.width);
      if (box === undefined) throw empty(index);
      return { image, mask, box };
    },
    cutout: async (index) => {
      const { image, mask } = await load(index);
      const cutout = cutByMask(image, mask);
      if (cutout === undefined) throw empty(index);
      return cutout;
    },
  };
}
