/** Images read only as large as they are looked at: large photographs are shrunk while they are decoded. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { decodeImage, decodeShrunk } from "./codec.ts";
import { resizeBilinear } from "./resize.ts";

/** `decodeImage`, with the longer side at most `longest`. */
export async function decodeSmall(
  bytes: Uint8Array,
  longest: number,
  stored?: ImageShape | null,
): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  // Of BMP files it knows nothing.
  const { width, height } = await sharp(bytes, { failOn: "none", limitInputPixels: false })
    .metadata()
    .catch(() => ({ width: 0, height: 0 }));
  const small = Math.max(width, height) <= longest || stored?.channels === 2;
  return shrunk(small ? await decodeImage(bytes, stored) : await decodeShrunk(bytes, longest), longest);
}

/** In proportion, with the longer side at most `longest`; as it is where it is small enough. */
export function shrunk(pixels: Pixels, longest: number): Pixels {
  const longer = Math.max(pixels.height, pixels.width);
  if (longer <= longest) return pixels;
  const size = (side: number) => Math.max(1, Math.round((side * longest) / longer));
  return resizeBilinear(pixels, size(pixels.height), size(pixels.width));
}
