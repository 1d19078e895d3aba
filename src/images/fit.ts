/** Brings an image to a square of a given size, in colour: how photographs of any shape become a batch. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { centreCrop, halfToEven, resizeBilinear, resizeShorter } from "./resize.ts";

/**
 * `crop`: the shorter side is resized and the middle cut out, as torchvision's Resize and CenterCrop do. `pad`: the longer side
 * is resized and the rest filled with black, as Pillow's ImageOps.pad does. `stretch`: both sides are resized, and proportions change.
 */
export const fits = ["crop", "pad", "stretch"] as const;

export type Fit = (typeof fits)[number];

/** Bilinear with anti-aliasing, as Pillow does it, bit for bit. */
export function fitted(image: Pixels, size: number, fit: Fit): Pixels {
  const colour = inColour(image);
  switch (fit) {
    case "crop":
      return centreCrop(resizeShorter(colour, size), size, size);
    case "pad":
      return padded(colour, size);
    case "stretch":
      return resizeBilinear(colour, size, size);
    default:
      return fit satisfies never;
  }
}

/** The shape that all have afterwards. */
export function fittedShape(size: number, before: ImageShape | null): ImageShape {
  return { height: size, width: size, channels: before?.channels === 2 ? 2 : 3 };
}

/** Grey with the same value for all three; two channels stay two. */
export function inColour({ data, height, width, channels }: Pixels): Pixels {
  if (channels !== 1) return { data, height, width, channels };
  const rgb = new Uint8Array(3 * data.length);
  for (let at = 0; at < data.length; at++) rgb.fill(data[at]!, 3 * at, 3 * at + 3);
  return { data: rgb, height, width, channels: 3 };
}

function padded(image: Pixels, size: number): Pixels {
  const longer = Math.max(image.height, image.width);
  // A side of a very long image would vanish.
  const side = (length: number) => Math.max(1, Math.round((length * size) / longer));
  const { data, height, width, channels } = resizeBilinear(image, side(image.height), side(image.width));
  const [top, left] = [halfToEven(size - height), halfToEven(size - width)];
  const square = new Uint8Array(size * size * channels);
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * width * channels, (y + 1) * width * channels);
    square.set(row, ((top + y) * size + left) * channels);
  }
  return { data: square, height: size, width: size, channels };
}
