/** Photographs from phones lie on their side in the file, and say so. */

import sharp from "sharp";
import { expect, test } from "vitest";
import { decodeAsStored, decodeImage } from "./codec.ts";

/** Three by two pixels, red at the top left and blue at the bottom right, with each of the eight orientations. */
const pixels = Buffer.from(
  [
    [200, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 200],
  ].flat(),
);

function photo(orientation: number, format: "jpeg" | "png" | "webp" | "tiff"): Promise<Buffer> {
  const image = sharp(pixels, { raw: { width: 3, height: 2, channels: 3 } }).withMetadata({ orientation });
  switch (format) {
    case "jpeg":
      return image.jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer();
    case "png":
      return image.png().toBuffer();
    case "webp":
      return image.webp({ lossless: true }).toBuffer();
    default:
      return image.tiff({ compression: "none" }).toBuffer();
  }
}

/** Where red and blue are, as column and row. */
function places({ data, width, channels }: { data: Uint8Array; width: number; channels: number }) {
  const place = (channel: number) => {
    const values = [...data].filter((_, i) => i % channels === channel);
    const at = values.indexOf(Math.max(...values));
    return [at % width, Math.floor(at / width)];
  };
  return { red: place(0), blue: place(2) };
}

/** By the EXIF standard: which side of the scene the file's first row and first column are. */
const upright: Record<number, { red: number[]; blue: number[]; size: number[] }> = {
  1: { red: [0, 0], blue: [2, 1], size: [3, 2] },
  2: { red: [2, 0], blue: [0, 1], size: [3, 2] },
  3: { red: [2, 1], blue: [0, 0], size: [3, 2] },
  4: { red: [0, 1], blue: [2, 0], size: [3, 2] },
  5: { red: [0, 0], blue: [1, 2], size: [2, 3] },
  6: { red: [1, 0], blue: [0, 2], size: [2, 3] },
  7: { red: [1, 2], blue: [0, 0], size: [2, 3] },
  8: { red: [0, 2], blue: [1, 0], size: [2, 3] },
};

test.each(["jpeg", "png", "webp", "tiff"] as const)(
  "%s files stand upright, whichever way they lie",
  async (format) => {
    for (const [orientation, { red, blue, size }] of Object.entries(upright)) {
      const bytes = await photo(Number(orientation), format);
      const image = await decodeImage(bytes);
      expect({ ...places(image), size: [image.width, image.height] }, orientation).toEqual({
        red,
        blue,
        size,
      });
      expect(image.notes?.turned ?? false, orientation).toBe(orientation !== "1");
      const stored = await decodeAsStored(bytes);
      expect({ ...places(stored), size: [stored.width, stored.height] }, orientation).toEqual(upright[1]);
    }
  },
);
