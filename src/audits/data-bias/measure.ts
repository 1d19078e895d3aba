/**
 * How far the objects of each class are in the middle of their images, and how large they are there: the scores of "Corner
 * Cases: How Size and Position of Objects Challenge ImageNet-Trained Models", section 3.
 */

import type { Box } from "../../core/box.ts";
import { CuelabError } from "../../core/errors.ts";

/** The objects of an image's class, and the size of the image, in the same pixels. */
export interface ImageObjects {
  className: string;
  width: number;
  height: number;
  boxes: readonly Box[];
  /** For messages. */
  describe: string;
}

export interface ClassBias {
  name: string;
  /** Those with at least one object. */
  images: number;
  objects: number;
  /** Equation 1, from 0.5 (at the border) to 1 (in the middle). */
  centre: number;
  /** Equation 2, from 0 to 1: the share of the image that the box takes up. */
  size: number;
  product: number;
}

export interface DataBias {
  /** Highest product first. */
  classes: readonly ClassBias[];
  images: number;
  objects: number;
  /** Images of which no object is known, and which are not counted. */
  without: number;
  /** Objects by the place of their centre: rows from the top, columns from the left, all cells of one size. */
  centres: readonly (readonly number[])[];
}

/** Cells across and down; the paper's figure does not say how many it has. */
export const centreCells = 32;

interface Sums {
  images: number;
  objects: number;
  centre: number;
  size: number;
}

export async function measureDataBias(
  images: AsyncIterable<ImageObjects> | Iterable<ImageObjects>,
): Promise<DataBias> {
  const byClass = new Map<string, Sums>();
  const centres = Array.from({ length: centreCells }, () => Array.from({ length: centreCells }, () => 0));
  let without = 0;
  for await (const image of images) {
    const { className, boxes } = image;
    if (boxes.length === 0) {
      without++;
      continue;
    }
    const sums = byClass.get(className) ?? { images: 0, objects: 0, centre: 0, size: 0 };
    byClass.set(className, sums);
    sums.images++;
    sums.objects += boxes.length;
    for (const box of boxes) {
      const { across, down, share } = place(image, box);
      // 1/N within the image; 1/M over images follows below.
      sums.centre += (1 - Math.max(Math.abs(across - 0.5), Math.abs(down - 0.5))) / boxes.length;
      sums.size += share / boxes.length;
      centres[cell(down)]![cell(across)]!++;
    }
  }
  const classes = [...byClass].map(([name, { images, objects, centre, size }]) => ({
    name,
    images,
    objects,
    centre: centre / images,
    size: size / images,
    product: (centre / images) * (size / images),
  }));
  return {
    classes: classes.sort((a, b) => b.product - a.product || (a.name < b.name ? -1 : 1)),
    images: classes.reduce((sum, { images }) => sum + images, 0),
    objects: classes.reduce((sum, { objects }) => sum + objects, 0),
    without,
    centres,
  };
}

/** The centre of the box and its area, in units of the image's width and height. */
function place({ width, height, describe }: ImageObjects, box: Box) {
  const { left, top } = box;
  const inside =
    left >= 0 &&
    top >= 0 &&
    left + box.width <= width &&
    top + box.height <= height &&
    box.width * box.height > 0;
  if (!inside) {
    throw new CuelabError({
      kind: "input",
      what: "a box leaves its image",
      where: describe,
      expected: `within ${width} × ${height}`,
      got: `${box.width} × ${box.height} at column ${left}, row ${top}`,
    });
  }
  return {
    across: (left + box.width / 2) / width,
    down: (top + box.height / 2) / height,
    share: (box.width * box.height) / (width * height),
  };
}

function cell(share: number): number {
  return Math.min(centreCells - 1, Math.floor(share * centreCells));
}
