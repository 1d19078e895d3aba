/** A border or a frame around the image, as scans, stamps and some cameras leave them. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Intervention, Variant } from "./intervention.ts";

/** Of the shorter side. */
const widths = { border: 1 / 16, inset: 1 / 16, line: 1 / 64 };

export const border: Intervention = {
  name: "border",
  description: "a black or white border, or a thin white frame inside the image",
  control: "as many pixels at the same places, with the image's own content mirrored into them",
  needs: [],
  damages: true,
  variants: () => [
    variant("black", 0, isBorder),
    variant("white", 255, isBorder),
    variant("frame", 255, isFrame),
  ],
};

/** How far a pixel is from the nearest side of the image. */
type Within = (distance: number, shorter: number) => boolean;

const atLeastOne = (part: number, shorter: number) => Math.max(1, Math.round(part * shorter));

function isBorder(distance: number, shorter: number): boolean {
  return distance < atLeastOne(widths.border, shorter);
}

function isFrame(distance: number, shorter: number): boolean {
  const start = atLeastOne(widths.inset, shorter);
  return distance >= start && distance < start + atLeastOne(widths.line, shorter);
}

function variant(name: string, value: number, within: Within): Variant {
  return {
    name,
    change: (image) => where(image, within, () => value),
    control: (image) => {
      const { data, height, width, channels } = image;
      return where(
        image,
        within,
        (y, x, c) => data[((height - 1 - y) * width + width - 1 - x) * channels + c]!,
      );
    },
  };
}

function where(image: Pixels, within: Within, value: (y: number, x: number, c: number) => number): Pixels {
  const { height, width, channels } = image;
  const shorter = Math.min(height, width);
  const data = Uint8Array.from(image.data);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (!within(Math.min(y, x, height - 1 - y, width - 1 - x), shorter)) continue;
      for (let c = 0; c < channels; c++) data[(y * width + x) * channels + c] = value(y, x, c);
    }
  return { ...image, data };
}
