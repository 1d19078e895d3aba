/** What an image looks like, in numbers: made once an image, from a copy of a few hundred pixels a side. */

import type { Pixels } from "../../../core/dataset.ts";
import { type ColourLook, colourLook } from "./colour-look.ts";
import { type DetailLook, detailLook } from "./detail-look.ts";
import { type MarginLook, marginLook } from "./margin-look.ts";
import { type PlaceLook, placeLook } from "./place-look.ts";

export interface ImageLook {
  colour: ColourLook;
  detail: DetailLook;
  margin: MarginLook;
  place: PlaceLook;
}

/** Red, green, blue and brightness, each a plane of bytes; of grey images all four are one. */
export interface Planes {
  width: number;
  height: number;
  red: Uint8Array;
  green: Uint8Array;
  blue: Uint8Array;
  light: Uint8Array;
}

export function lookAt(planes: Planes): ImageLook {
  const margin = marginLook(planes);
  return {
    colour: colourLook(planes),
    detail: detailLook(planes),
    margin,
    place: placeLook(planes, margin.background),
  };
}

export function planesOf({ data, width, height, channels }: Pixels): Planes {
  const size = width * height;
  if (channels === 1) {
    const grey = data.subarray(0, size);
    return { width, height, red: grey, green: grey, blue: grey, light: grey };
  }
  const [red, green, blue, light] = [0, 1, 2, 3].map(() => new Uint8Array(size)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  for (let i = 0, from = 0; i < size; i++, from += channels) {
    const r = data[from]!;
    const g = data[from + 1]!;
    const b = channels === 2 ? 0 : data[from + 2]!;
    red[i] = r;
    green[i] = g;
    blue[i] = b;
    // ITU-R BT.601, in 16 bits after the point.
    light[i] = (19595 * r + 38470 * g + 7471 * b + 32768) >> 16;
  }
  return { width, height, red, green, blue, light };
}
