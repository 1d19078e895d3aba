/**
 * Removes objects from images: widens the hole a little, so that nothing of the object's edge is left to copy from, and
 * fills it from what lies around it.
 */

import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { dilate, largestFreeBox } from "./holes.ts";
import { opencvFill } from "./opencv.ts";

export { dilate, maskOfBoxes } from "./holes.ts";

export const inpaintMethods = ["telea", "navier-stokes", "tiled"] as const;

type InpaintMethod = (typeof inpaintMethods)[number];

export interface InpaintOptions {
  method: InpaintMethod;
  /** Side of the square kernel by which holes are widened, an odd number of pixels. */
  dilation?: number | undefined;
  /** How far from a pixel OpenCV looks for what to fill it with. */
  radius?: number | undefined;
}

/** The kernel is the one of the paper "Corner Cases", appendix C; a larger radius takes longer and blurs more. */
export const inpaintDefaults = { dilation: 15, radius: 3 };

/** An RGB image without what the mask covers (255 to remove, 0 to keep); the image itself is left as it is. */
export type Inpaint = (image: Pixels, mask: Uint8Array) => Pixels;

export async function createInpaint(options: InpaintOptions): Promise<Inpaint> {
  const { method, dilation = inpaintDefaults.dilation, radius = inpaintDefaults.radius } = options;
  const fill = method === "tiled" ? tile : await opencvFill(method, radius);
  return (image, mask) => {
    const hole = dilate(mask, image.width, dilation);
    if (hole.every((value) => value !== 0)) throw nothingLeft(image, dilation);
    return fill(image, hole);
  };
}

/** As the tiled backgrounds of Xiao et al. 2020: the largest rectangle of background, repeated over the hole. */
function tile(image: Pixels, hole: Uint8Array): Pixels {
  const { width, channels } = image;
  const free = largestFreeBox(hole, width)!;
  const data = Uint8Array.from(image.data);
  for (let at = 0; at < hole.length; at++) {
    if (hole[at] === 0) continue;
    const row = free.top + wrapped(Math.floor(at / width) - free.top, free.height);
    const column = free.left + wrapped((at % width) - free.left, free.width);
    const from = (row * width + column) * channels;
    data.copyWithin(at * channels, from, from + channels);
  }
  return { ...image, data };
}

function wrapped(offset: number, length: number): number {
  return ((offset % length) + length) % length;
}

function nothingLeft({ width, height }: Pixels, dilation: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the object covers the whole image, so that no background is left to fill it with",
    expected: `at least one pixel of ${width} × ${height} further than ${(dilation - 1) / 2} pixels from the object`,
    todo: "leave this image out, or bring one that was inpainted elsewhere",
  });
}
