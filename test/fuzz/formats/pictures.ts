/** Files of pictures, of every kind that is read. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { encodePng } from "../../../src/images/png.ts";
import { ImageFiles } from "../../../src/sources/image-folder.ts";
import type { FuzzedFormat, Mutator } from "../fuzzed-format.ts";
import { pngChunks } from "../mutators/binary.ts";
import { within } from "../mutators/bytes.ts";
import { pixelText, smallPixels } from "./small-dataset.ts";

const { data, width, height } = smallPixels(3);
const source = () => sharp(data, { raw: { width, height, channels: 3 } });
const fileHeader: Mutator = within((bytes) => [[0, Math.min(64, bytes.length)]]);

function bmp(): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const bytes = Buffer.alloc(54 + row * height);
  bytes.write("BM");
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++)
    Buffer.from(data.subarray(y * width * 3, (y + 1) * width * 3)).copy(bytes, 54 + y * row);
  return bytes;
}

const makers: Record<string, () => Promise<Uint8Array>> = {
  png: async () => encodePng(smallPixels(3)),
  jpeg: () => source().jpeg().toBuffer(),
  webp: () => source().webp().toBuffer(),
  bmp: async () => bmp(),
  gif: () => source().gif().toBuffer(),
  tiff: () => source().tiff({ compression: "lzw" }).toBuffer(),
  avif: () => source().avif({ effort: 0 }).toBuffer(),
};

/** libvips, which also reads some of these files for us, decides where ours does it alone. */
async function byVips(path: string): Promise<string> {
  const image = sharp(readFileSync(path), { failOn: "warning" });
  const { data: pixels, info } = await image.raw({ depth: "uchar" }).toBuffer({ resolveWithObject: true });
  return pixelText({ data: pixels, height: info.height, width: info.width, channels: info.channels });
}

export const pictureFormats: readonly FuzzedFormat[] = Object.entries(makers).map(([kind, make]) => ({
  name: `picture, ${kind}`,
  covers: [`picture ${kind}`],
  mutators: kind === "png" ? [pngChunks] : [fileHeader],
  seed: async (folder) => {
    writeFileSync(join(folder, `a.${kind}`), await make());
    return `a.${kind}`;
  },
  read: async (folder, file) => pixelText(await new ImageFiles(folder, [file]).pixels(0)),
  ...(kind === "jpeg" && { other: (folder: string, file: string) => byVips(join(folder, file)) }),
}));
