/**
 * The one compositor: cuts objects out of images, resizes them and pastes them on backgrounds, in bytes. Masks are hard:
 * a pixel belongs to the object or it does not, so that nothing of the object leaks into what lies around it.
 */

import type { Box } from "../core/box.ts";
import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { resizeBilinear } from "./resize.ts";

/** An object cut out along its own box: RGB, and which of these pixels belong to it. */
export interface Cutout extends Pixels {
  /** 255 for the object and 0 around it, one byte a pixel. */
  mask: Uint8Array;
}

/** A mask's values above this, more than half, belong to the object. */
export const inside = 127;

/** The smallest box around everything of a mask; undefined where it is empty. */
export function boxOfMask(mask: Uint8Array, width: number): Box | undefined {
  const height = mask.length / width;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (mask[at]! <= inside) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The part of an image in a box, which must lie within it. */
export function crop({ data, width, height, channels }: Pixels, box: Box): Pixels {
  if (box.left < 0 || box.top < 0 || box.left + box.width > width || box.top + box.height > height) {
    throw new CuelabError({
      kind: "failure",
      what: "a box leaves its image",
      expected: `within ${width} × ${height}`,
      got: `${box.width} × ${box.height} at column ${box.left}, row ${box.top}`,
    });
  }
  const cut = new Uint8Array(box.height * box.width * channels);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.top + y) * width + box.left) * channels;
    cut.set(data.subarray(from, from + box.width * channels), y * box.width * channels);
  }
  return { data: cut, height: box.height, width: box.width, channels };
}

/** An RGB image's object, by a mask of the same size; undefined where the mask is empty. */
export function cutByMask(image: Pixels, mask: Uint8Array): Cutout | undefined {
  const box = boxOfMask(mask, image.width);
  if (box === undefined) return undefined;
  const own = crop({ data: mask, height: image.height, width: image.width, channels: 1 }, box);
  return { ...crop(image, box), mask: hardened(own.data) };
}

/** All that a box holds. */
export function cutByBox(image: Pixels, box: Box): Cutout {
  return { ...crop(image, box), mask: new Uint8Array(box.width * box.height).fill(255) };
}

export function resizeCutout(cutout: Cutout, height: number, width: number): Cutout {
  if (cutout.height === height && cutout.width === width) return cutout;
  const mask = { data: cutout.mask, height: cutout.height, width: cutout.width, channels: 1 };
  return {
    ...resizeBilinear(cutout, height, width),
    mask: hardened(resizeBilinear(mask, height, width).data),
  };
}

/** With its longest side as given, and the other in proportion, at least one pixel. */
export function resizeLongest(cutout: Cutout, side: number): Cutout {
  const scale = side / Math.max(cutout.height, cutout.width);
  const scaled = (length: number) => Math.max(1, Math.round(length * scale));
  return resizeCutout(cutout, scaled(cutout.height), scaled(cutout.width));
}

/** Where a box of this size begins so that it is centred there, but never before the image does. */
export function centredAt(
  row: number,
  column: number,
  { height, width }: { height: number; width: number },
): Box {
  const start = (centre: number, size: number) => Math.max(0, centre - Math.floor(size / 2));
  return { top: start(row, height), left: start(column, width), height, width };
}

/** Paints the object over an RGB image in place; what lies beyond its borders is lost. */
export function paste(onto: Pixels, cutout: Cutout, top: number, left: number): void {
  eachCovered(onto, cutout, top, left, (to, from) => {
    onto.data[3 * to] = cutout.data[3 * from]!;
    onto.data[3 * to + 1] = cutout.data[3 * from + 1]!;
    onto.data[3 * to + 2] = cutout.data[3 * from + 2]!;
  });
}

/** Sets a mask of the whole image to 255 where the object would be pasted. */
export function pasteMask(onto: Pixels, cutout: Cutout, top: number, left: number): void {
  eachCovered(onto, cutout, top, left, (to) => {
    onto.data[to] = 255;
  });
}

function eachCovered(
  { width, height }: Pixels,
  { mask, ...size }: Cutout,
  top: number,
  left: number,
  visit: (to: number, from: number) => void,
): void {
  const [firstRow, endRow] = [Math.max(0, -top), Math.min(size.height, height - top)];
  const [firstColumn, endColumn] = [Math.max(0, -left), Math.min(size.width, width - left)];
  for (let y = firstRow; y < endRow; y++) {
    for (let x = firstColumn; x < endColumn; x++) {
      const from = y * size.width + x;
      if (mask[from] === 255) visit((top + y) * width + left + x, from);
    }
  }
}

function hardened(mask: Uint8Array): Uint8Array {
  return mask.map((value) => (value > inside ? 255 : 0));
}
