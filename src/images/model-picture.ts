/** Brings a picture to the size that a network takes, as the programs do it that such networks were trained by. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { inColour } from "./fit.ts";
import type { Filter } from "./resample.ts";
import { halfToEven, resizeBy, shorterResized } from "./resize.ts";

export interface PictureSteps {
  /** The shorter side to so many pixels and the other in proportion, or both; undefined leaves pictures as large as they are. */
  resize?: { shorter: number } | { height: number; width: number } | undefined;
  filter: Filter;
  /** The middle of so many pixels; where the picture is smaller, black around it. */
  crop?: { height: number; width: number } | undefined;
  /** Where an odd number of pixels is left: to the even side as torchvision does, or always up and left, as transformers. */
  middle: "even" | "down";
  /** One channel, as Pillow's mode L. */
  grey?: boolean | undefined;
}

export function picturePrepared(
  picture: Pixels,
  { resize, filter, crop, middle, grey }: PictureSteps,
): Pixels {
  const colour = grey ? inGrey(picture) : inColour(picture);
  const { height, width } = resize === undefined ? colour : sizeAfter(resize, colour);
  if (crop === undefined) return resizeBy(filter, colour, height, width);
  if (crop.height > height || crop.width > width)
    return cut(resizeBy(filter, colour, height, width), crop, middle);
  const [top, left] = [startOf(height - crop.height, middle), startOf(width - crop.width, middle)];
  return resizeBy(filter, colour, height, width, { top, left, ...crop });
}

/** The shape that all have afterwards, where that can be known. */
export function preparedShape(
  { resize, crop, grey }: PictureSteps,
  before: ImageShape | null,
): ImageShape | null {
  const channels = grey ? 1 : before?.channels === 2 ? 2 : 3;
  if (crop !== undefined) return { ...crop, channels };
  if (resize !== undefined && "height" in resize) return { ...resize, channels };
  if (before === null) return null;
  const { height, width } = resize === undefined ? before : sizeAfter(resize, before);
  return { height, width, channels };
}

function sizeAfter(
  resize: NonNullable<PictureSteps["resize"]>,
  { height, width }: Pick<ImageShape, "height" | "width">,
): Pick<ImageShape, "height" | "width"> {
  return "height" in resize ? resize : shorterResized({ height, width }, resize.shorter);
}

/** Of a picture that may be smaller than what is cut. */
function cut(
  image: Pixels,
  { height, width }: NonNullable<PictureSteps["crop"]>,
  middle: PictureSteps["middle"],
): Pixels {
  const { data, channels } = image;
  const [top, left] = [startOf(image.height - height, middle), startOf(image.width - width, middle)];
  const cropped = new Uint8Array(height * width * channels);
  const [first, end] = [Math.max(0, left), Math.min(image.width, left + width)];
  for (let y = Math.max(0, -top); y < height && top + y < image.height; y++) {
    const row = (top + y) * image.width;
    cropped.set(
      data.subarray((row + first) * channels, (row + end) * channels),
      (y * width + first - left) * channels,
    );
  }
  return { data: cropped, height, width, channels };
}

/** Negative where the picture is smaller: so much black comes before it. */
function startOf(rest: number, middle: PictureSteps["middle"]): number {
  if (middle === "down") return rest < 0 ? -Math.ceil(-rest / 2) : Math.floor(rest / 2);
  return rest < 0 ? -Math.floor(-rest / 2) : halfToEven(rest);
}

/** ITU-R 601-2's weights in 16 bits, rounded, as Pillow does it. */
function inGrey({ data, height, width, channels }: Pixels): Pixels {
  if (channels !== 3) return { data: data.slice(0, height * width), height, width, channels: 1 };
  const grey = new Uint8Array(height * width);
  for (let at = 0, from = 0; at < grey.length; at++, from += 3)
    grey[at] = (data[from]! * 19595 + data[from + 1]! * 38470 + data[from + 2]! * 7471 + 0x8000) >> 16;
  return { data: grey, height, width, channels: 1 };
}
