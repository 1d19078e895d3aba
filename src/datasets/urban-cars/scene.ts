/** The geometry of UrbanCars: where the car and the co-occurring object are, and the background without them. */

import type { Box } from "../../core/box.ts";
import type { Pixels } from "../../core/dataset.ts";
import { type Cutout, centredAt, paste, pasteMask, resizeLongest } from "../../images/compose.ts";

/** Sizes whose quarters and eighths are whole, as the copying of background stripes needs. */
export const sizes = [256, 128, 64] as const;

/** In parts of the image's side: the longest side, and the centre's row and column. */
const places = {
  car: { side: 1 / 2, row: 1 / 2, column: 1 / 2 },
  thing: { side: 1 / 4, row: 1 / 2, column: 7 / 8 },
};

interface Placed {
  cutout: Cutout;
  box: Box;
}

/** An image's parts, in their places. */
export interface Scene {
  /** Not to be changed: others may use it too. */
  background: Pixels;
  car: Placed;
  thing: Placed;
}

/** The sizes at which objects fit without being resized. */
export function sidesAt(size: number): { car: number; thing: number } {
  return { car: size * places.car.side, thing: size * places.thing.side };
}

export function arrange(background: Pixels, car: Cutout, thing: Cutout): Scene {
  const size = background.width;
  const place = (cutout: Cutout, { side, row, column }: typeof places.car): Placed => {
    const resized = resizeLongest(cutout, side * size);
    return { cutout: resized, box: centredAt(row * size, column * size, resized) };
  };
  return { background, car: place(car, places.car), thing: place(thing, places.thing) };
}

/** The co-occurring object first, the car over it. */
export function compose({ background, thing, car }: Scene): Pixels {
  const image = { ...background, data: Uint8Array.from(background.data) };
  for (const { cutout, box } of [thing, car]) paste(image, cutout, box.top, box.left);
  return image;
}

/** White where the object is, in an image of this size. */
export function carMask({ cutout, box }: Placed, size: number): Pixels {
  const mask = { data: new Uint8Array(size * size), height: size, width: size, channels: 1 };
  pasteMask(mask, cutout, box.top, box.left);
  return mask;
}

/**
 * The left quarter of the image, repeated over both objects: between the upper and the lower quarter over the car, and
 * in the middle quarter of the rows over the co-occurring object. In place.
 */
export function coverObjects(image: Pixels): Pixels {
  const { data, width: size, channels } = image;
  const quarter = size / 4;
  const repeat = (firstRow: number, endRow: number, column: number) => {
    for (let row = firstRow; row < endRow; row++) {
      const start = row * size * channels;
      data.copyWithin(start + column * channels, start, start + quarter * channels);
    }
  };
  for (const column of [quarter, 2 * quarter]) repeat(quarter, 3 * quarter, column);
  repeat((3 * size) / 8, (5 * size) / 8, 3 * quarter);
  return image;
}
