/** Things that can be taken away from all images alike, to see what remains without them. */

import type { Pixels } from "../../../core/dataset.ts";
import { centreCrop } from "../../../images/resize.ts";

export const removals = ["colour", "encoding", "border"] as const;
export type Removal = (typeof removals)[number];

/** What is done to every image, in words. */
export const removalWords: Readonly<Record<Removal, string>> = {
  colour: "all images made grey",
  encoding:
    "all images written anew as JPEG files of quality 75, and nothing asked of the files they came from",
  border: "a tenth of each side cut off",
};

const borderShare = 0.1;
const oneQuality = 75;

export async function withoutThese(pixels: Pixels, without: readonly Removal[]): Promise<Pixels> {
  let left = pixels;
  // What was cut off must not colour what is left by compression, so that encoding comes last.
  if (without.includes("border")) left = withoutBorder(left);
  if (without.includes("colour")) left = withoutColour(left);
  if (without.includes("encoding")) left = await encodedAlike(left);
  return left;
}

function withoutBorder(pixels: Pixels): Pixels {
  const inner = (side: number) => Math.max(1, side - 2 * Math.ceil(borderShare * side));
  return centreCrop(pixels, inner(pixels.height), inner(pixels.width));
}

function withoutColour({ data, width, height, channels }: Pixels): Pixels {
  if (channels === 1) return { data, width, height, channels };
  const grey = new Uint8Array(width * height);
  for (let i = 0, from = 0; i < grey.length; i++, from += channels) {
    const blue = channels === 2 ? 0 : data[from + 2]!;
    grey[i] = (19595 * data[from]! + 38470 * data[from + 1]! + 7471 * blue + 32768) >> 16;
  }
  return { data: grey, width, height, channels: 1 };
}

async function encodedAlike({ data, width, height, channels }: Pixels): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  // Grey images get three equal channels, so that all files have one kind.
  const rgb = new Uint8Array(3 * width * height);
  for (let i = 0, from = 0; i < width * height; i++, from += channels) {
    const [red, green] = [data[from]!, data[from + (channels === 1 ? 0 : 1)]!];
    rgb.set([red, green, channels === 1 ? red : channels === 2 ? 0 : data[from + 2]!], 3 * i);
  }
  const file = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: oneQuality, chromaSubsampling: "4:2:0" })
    .toBuffer();
  const decoded = await sharp(file).raw().toBuffer();
  return { data: decoded, width, height, channels: 3 };
}
