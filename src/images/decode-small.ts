/** Images read only as large as they are looked at: large photographs are shrunk while they are decoded. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { decodeImage } from "./codec.ts";
import { resizeBilinear } from "./resize.ts";

/**
 * `decodeImage`, with the longer side at most `longest`. All kinds of files that need shrinking are shrunk in one way, so that
 * their pixels do not differ by the kind of file.
 */
export async function decodeSmall(
  bytes: Uint8Array,
  longest: number,
  stored?: ImageShape | null,
): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  const about = await sharp(bytes, { failOn: "none" })
    .metadata()
    .catch(() => undefined);
  if (about === undefined || stored?.channels === 2 || Math.max(about.width, about.height) <= longest)
    return shrunk(await decodeImage(bytes, stored), longest);
  const grey = about.channels <= 2 && (about.space === "b-w" || about.space === "grey16");
  const { data, info } = await sharp(bytes, { failOn: "warning", autoOrient: true })
    .resize(longest, longest, { fit: "inside", kernel: "linear", fastShrinkOnLoad: false })
    .removeAlpha()
    .toColourspace(grey ? "b-w" : "srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

/** In proportion, with the longer side at most `longest`; as it is where it is small enough. */
export function shrunk(pixels: Pixels, longest: number): Pixels {
  const longer = Math.max(pixels.height, pixels.width);
  if (longer <= longest) return pixels;
  const size = (side: number) => Math.max(1, Math.round((side * longest) / longer));
  return resizeBilinear(pixels, size(pixels.height), size(pixels.width));
}
