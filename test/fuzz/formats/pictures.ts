/** Files of pictures, of every kind that is read. */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { encodePng } from "../../../src/images/png.ts";
import { ImageFiles } from "../../../src/sources/image-folder.ts";
import { type FuzzedFormat, type Mutator, noOpinion } from "../fuzzed-format.ts";
import { pngChunks } from "../mutators/binary.ts";
import { within } from "../mutators/bytes.ts";
import {
  bitmapFields,
  gifBlocks,
  jpegSegments,
  mediaBoxes,
  pngExtras,
  riffChunks,
  tiffEntries,
} from "../mutators/pictures.ts";
import { refereeReads } from "../others/referee.ts";
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

/** Kinds by their names; variants behind a comma. */
const makers: Record<string, () => Promise<Uint8Array>> = {
  png: async () => encodePng(smallPixels(3)),
  "png, palette": () => source().png({ palette: true, colours: 7 }).toBuffer(),
  "png, interlaced": () => source().png({ progressive: true }).toBuffer(),
  "png, transparent": () => source().ensureAlpha(0.5).png().toBuffer(),
  "png, 16 bits": () => source().toColourspace("rgb16").png().toBuffer(),
  jpeg: () => source().jpeg().toBuffer(),
  "jpeg, progressive": () =>
    source()
      .withExif({ IFD0: { Orientation: "6" } })
      .jpeg({ progressive: true })
      .toBuffer(),
  webp: () => source().webp().toBuffer(),
  "webp, lossless": () => source().ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
  "webp, moving": () =>
    frames()
      .webp({ delay: [50, 50] })
      .toBuffer(),
  bmp: async () => bmp(),
  "bmp, packed": async () => packedBmp(),
  gif: () => source().gif().toBuffer(),
  "gif, moving": () =>
    frames()
      .gif({ delay: [50, 50] })
      .toBuffer(),
  tiff: () => source().tiff({ compression: "lzw" }).toBuffer(),
  "tiff, tiled": () =>
    source().tiff({ tile: true, tileWidth: 16, tileHeight: 16, compression: "deflate" }).toBuffer(),
  avif: () => source().avif({ effort: 0 }).toBuffer(),
};

const mutators: Record<string, readonly Mutator[]> = {
  png: [pngChunks, pngExtras],
  jpeg: [fileHeader, jpegSegments],
  webp: [fileHeader, riffChunks],
  bmp: [fileHeader, bitmapFields],
  gif: [fileHeader, gifBlocks],
  tiff: [fileHeader, tiffEntries],
  avif: [fileHeader, mediaBoxes],
};

const frames = () =>
  sharp(Buffer.concat([data, data]), { raw: { width, height: 2 * height, channels: 3, pageHeight: height } });

/** Eight bits by a palette, in runs (RLE8): two of them, a row's end, and the end. */
function packedBmp(): Buffer {
  const runs = Buffer.from([3, 1, 3, 2, 0, 0, 0, 6, 1, 2, 1, 2, 1, 2, 0, 0, 6, 3, 0, 1]);
  const bytes = Buffer.alloc(54 + 4 * 4 + runs.length);
  bytes.write("BM");
  for (const [at, value] of [
    [2, bytes.length],
    [10, 70],
    [14, 40],
    [18, 6],
    [22, 3],
    [30, 1],
    [34, runs.length],
    [46, 4],
  ] as const)
    bytes.writeInt32LE(value, at);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(8, 28);
  bytes.set([0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0], 54);
  runs.copy(bytes, 70);
  return bytes;
}

interface PictureContent {
  width: number;
  height: number;
  channels: number;
  pixels: string;
}

/** Lossy kinds differ by rounding, which no damage does: so far on the way back from frequencies and to colours. */
const rounding: Record<string, number> = { jpeg: 4, webp: 6, png: 1, tiff: 1 };

/** Base64; of large pictures that nobody may round a digest, so that hundreds of megabytes of text are not compared. */
function pixelsText(kind: string, found: Uint8Array): string {
  if (found.length > 2 ** 22 && (kind === "bmp" || kind === "gif"))
    return createHash("sha256").update(found).digest("hex");
  return Buffer.from(found).toString("base64");
}

/** Grey in three equal channels is what others make of a palette of greys. */
function threeChannels(picture: PictureContent): PictureContent {
  const grey = Buffer.from(picture.pixels, "base64");
  const pixels = Buffer.alloc(3 * grey.length, 0);
  for (const [i, value] of grey.entries()) pixels.fill(value, 3 * i, 3 * i + 3);
  return { ...picture, channels: 3, pixels: pixels.toString("base64") };
}

function pixelsDiffer(kind: string, one: PictureContent, other: PictureContent): string | undefined {
  if (kind === "bmp" && one.channels === 1 && other.channels === 3)
    return pixelsDiffer(kind, threeChannels(one), other);
  const shape = ({ height: down, width: across, channels }: PictureContent) =>
    `${down}×${across}×${channels}`;
  if (shape(one) !== shape(other)) return `${shape(one)} ≠ ${shape(other)}`;
  const [ours, theirs] = [Buffer.from(one.pixels, "base64"), Buffer.from(other.pixels, "base64")];
  const most = rounding[kind] ?? 0;
  const at = ours.findIndex((value, i) => Math.abs(value - theirs[i]!) > most);
  return at < 0 ? undefined : `byte ${at} of pixels is ${ours[at]} ≠ ${theirs[at]}`;
}

export const pictureFormats: readonly FuzzedFormat[] = Object.entries(makers).map(([variant, make]) => {
  const kind = variant.split(",")[0]!;
  return {
    name: `picture, ${variant}`,
    covers: [`picture ${kind}`],
    mutators: mutators[kind]!,
    seed: async (folder) => {
      writeFileSync(join(folder, `a.${kind}`), await make());
      return `a.${kind}`;
    },
    read: async (folder, file) => {
      const { data: found, ...shape } = await new ImageFiles(folder, [file]).pixels(0);
      pixelText({ data: found, ...shape });
      return {
        width: shape.width,
        height: shape.height,
        channels: shape.channels,
        pixels: pixelsText(kind, found),
      } satisfies PictureContent;
    },
    other: (folder, file) =>
      kind === "avif" ? Promise.resolve(noOpinion) : refereeReads("picture", join(folder, file)),
    differs: (ours, theirs) => pixelsDiffer(kind, ours as PictureContent, theirs as PictureContent),
  };
});
