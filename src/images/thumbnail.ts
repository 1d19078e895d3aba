/** Images as small pictures for pages: photographs shrunk, tiny images with every pixel a square. */

import type { Pixels } from "../core/dataset.ts";
import type { PictureFile } from "../core/section.ts";
import { shrunk } from "./decode-small.ts";
import { encodePng } from "./png.ts";

/** No side is longer, in dots. */
const largest = 192;

/** Smaller images are enlarged: browsers then shrink them evenly, and screens with fine dots show hard edges. */
const small = 64;
const enlargement = 3;

export function thumbnail(pixels: Pixels): PictureFile {
  const picture = inPageSize(pixels);
  return { png: encodePng(picture), width: picture.width, height: picture.height };
}

function inPageSize(pixels: Pixels): Pixels {
  return Math.max(pixels.height, pixels.width) <= small ? enlarged(pixels) : shrunk(pixels, largest);
}

function enlarged({ data, height, width, channels }: Pixels): Pixels {
  const [wide, high] = [width * enlargement, height * enlargement];
  const squares = new Uint8Array(wide * high * channels);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const from = (Math.floor(y / enlargement) * width + Math.floor(x / enlargement)) * channels;
      squares.set(data.subarray(from, from + channels), (y * wide + x) * channels);
    }
  }
  return { data: squares, height: high, width: wide, channels };
}
