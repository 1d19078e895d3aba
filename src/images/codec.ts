/** Images to bytes and back: our own PNG for the common case, Skia for JPEG, our own BMP and GIF, sharp for everything else. */

import type { EncodedImage, ImageShape, Pixels } from "../core/dataset.ts";
import { plainBytes } from "../core/plain-bytes.ts";
import { decodeBmp } from "./bmp.ts";
import { imageKind, isRead, type ReadKind, whyUnread } from "./file-kind.ts";
import { decodeGif } from "./gif.ts";
import { requireMarkersInOrder } from "./jpeg-markers.ts";
import { requirePixels } from "./pixel-limit.ts";
import { decodePng, encodePng } from "./png.ts";
import { requirePngChunks } from "./png-chunks.ts";
import { requireTiffTags } from "./tiff-tags.ts";
import { requireWebpChunks } from "./webp-chunks.ts";

export type ImageEncoding = "png" | "jpeg";

/** High enough that the cue colours survive; the default of most dataset papers. */
const jpegQuality = 95;

export async function encodeImage(pixels: Pixels, encoding: ImageEncoding): Promise<EncodedImage> {
  switch (encoding) {
    case "png":
      return { bytes: encodePng(pixels), extension: "png" };
    case "jpeg":
      return { bytes: await encodeJpeg(pixels), extension: "jpg" };
    default:
      return encoding satisfies never;
  }
}

/**
 * How files become pixels, as a number: raised whenever equal files would give other pixels. Part of the identity of data that
 * is known by its files.
 *
 * 2: images stand upright, as their EXIF orientation says.
 * 3: transparent images lie on white, colours of PNG files with a profile and of 16 bits with one are converted, BMP is read.
 */
export const readerVersion = 3;

/** What was done to the pixels of a file, for those who would want to know. */
export interface FileNotes {
  /** Turned or mirrored by its EXIF orientation. */
  turned: boolean;
  /** Laid on white, since some of it is transparent. */
  transparent: boolean;
  /** Converted to sRGB from CMYK or by a colour profile of its own. */
  recoloured: boolean;
}

export interface DecodedImage extends Pixels {
  notes?: FileNotes;
}

/**
 * Decodes to 8-bit grey or sRGB, upright, on white where it is transparent, whatever the file is called. `stored` is the shape
 * that the dataset declares: two-channel images lie in files as RGB.
 */
export async function decodeImage(bytes: Uint8Array, stored?: ImageShape | null): Promise<DecodedImage> {
  const decoded = decodePng(bytes) ?? (await decodeAny(bytes, { upright: true, onWhite: true }));
  return stored?.channels === 2 && decoded.channels === 3 ? dropBlue(decoded) : decoded;
}

/**
 * `decodeImage` of a file that is larger, with the longer side at most `longest`: shrunk while it is read, all kinds of files in
 * one way, so that their pixels do not differ by the kind of file.
 */
export async function decodeShrunk(bytes: Uint8Array, longest: number): Promise<Pixels> {
  return decodeAny(bytes, { upright: true, onWhite: true, longest });
}

/** Pixels as they lie in the file, without transparency: what boxes and masks of published photographs are about. */
export async function decodeAsStored(bytes: Uint8Array): Promise<Pixels> {
  return decodePng(bytes) ?? decodeAny(bytes, { upright: false, onWhite: false });
}

interface DecodeChoice {
  upright: boolean;
  onWhite: boolean;
  longest?: number;
}

/** What other programs refuse, and the decoder makes some picture of. */
const requireParts: Partial<Record<ReadKind, (bytes: Uint8Array) => void>> = {
  jpeg: requireMarkersInOrder,
  png: requirePngChunks,
  webp: requireWebpChunks,
  tiff: requireTiffTags,
};

async function decodeAny(bytes: Uint8Array, choice: DecodeChoice): Promise<DecodedImage> {
  const kind = imageKind(bytes);
  if (!isRead(kind)) throw new Error(whyUnread(bytes));
  requireParts[kind]?.(bytes);
  if (kind === "gif") return withChoice(decodeGif(bytes), choice, false);
  if (kind !== "bmp") return decodeWithSharp(bytes, choice);
  const { isGrey, ...image } = decodeBmp(bytes);
  return withChoice(image, choice, isGrey);
}

/** Of kinds that know no orientation and no profiles. */
async function withChoice(
  rgba: Pixels,
  { onWhite, longest }: DecodeChoice,
  isGrey: boolean,
): Promise<DecodedImage> {
  const image = longest === undefined ? rgba : await shrunkInside(rgba, longest);
  const { transparent, ...opaque } = withoutAlpha(image, onWhite);
  return { ...(isGrey ? firstOf(opaque) : opaque), notes: { turned: false, transparent, recoloured: false } };
}

async function shrunkInside({ data, width, height, channels }: Pixels, longest: number): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  const raw = { width, height, channels: channels as 4 };
  const shrunk = await sharp(data, { raw, limitInputPixels: false })
    .resize(longest, longest, shrinking)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data: plainBytes(shrunk.data), width: shrunk.info.width, height: shrunk.info.height, channels };
}

const shrinking = { fit: "inside", kernel: "linear", fastShrinkOnLoad: false } as const;

async function decodeWithSharp(
  bytes: Uint8Array,
  { upright, onWhite, longest }: DecodeChoice,
): Promise<DecodedImage> {
  const { default: sharp } = await import("sharp");
  // "warning" also refuses files whose last rows are missing, which lesser settings fill with grey.
  const image = sharp(bytes, { failOn: "warning", autoOrient: upright, limitInputPixels: false });
  const { width, height, channels: found, space, orientation = 1, icc, hasAlpha } = await image.metadata();
  // Its own limit would not say what to do about it.
  requirePixels(width, height);
  const grey = found <= 2 && (space === "b-w" || space === "grey16");
  // Of 16 bits with a profile it would give Display P3 and call it sRGB.
  if (space === "rgb16" && icc) image.pipelineColourspace("srgb");
  if (longest !== undefined) image.resize(longest, longest, shrinking);
  const { data, info } = await image
    // Grey that is asked for as grey comes without its transparency.
    .toColourspace(grey && !hasAlpha ? "b-w" : "srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  if (info.channels > 4) throw new Error(`${info.channels} channels, where pictures have one to four`);
  const { transparent, ...opaque } = withoutAlpha(
    { data: plainBytes(data), width: info.width, height: info.height, channels: info.channels },
    onWhite,
  );
  const recoloured = space === "cmyk" || (icc !== undefined && !isSrgb(icc));
  const pixels = grey ? firstOf(opaque) : opaque;
  return { ...pixels, notes: { turned: upright && orientation > 1, transparent, recoloured } };
}

/** Profiles say what they are, in one byte a letter or in two. */
function isSrgb(icc: Buffer): boolean {
  return icc.includes("sRGB") || icc.includes(Buffer.from("sRGB", "utf16le").swap16());
}

/** Grey, of equal channels. */
function firstOf({ data, width, height, channels }: Pixels): Pixels {
  if (channels === 1) return { data, width, height, channels };
  return { data: data.filter((_, i) => i % channels === 0), width, height, channels: 1 };
}

/** A channel of transparency is the last of two or four; what it hides has colours that nobody is meant to see. */
function withoutAlpha(
  { data, width, height, channels }: Pixels,
  onWhite: boolean,
): Pixels & { transparent: boolean } {
  if (channels % 2 === 1) return { data, width, height, channels, transparent: false };
  const kept = channels - 1;
  const opaque = new Uint8Array(width * height * kept);
  let transparent = false;
  for (let from = 0, to = 0; from < data.length; from += channels) {
    const alpha = onWhite ? data[from + kept]! : 255;
    if (alpha < 255) transparent = true;
    for (let c = 0; c < kept; c++, to++)
      opaque[to] =
        alpha === 255 ? data[from + c]! : Math.round((data[from + c]! * alpha) / 255 + 255 - alpha);
  }
  return { data: opaque, width, height, channels: kept, transparent };
}

export async function encodeJpeg(
  { data, width, height, channels }: Pixels,
  quality = jpegQuality,
): Promise<Uint8Array> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  copyToRgba(data, channels, image.data);
  context.putImageData(image, 0, 0);
  return canvas.encodeSync("jpeg", quality);
}

/** Spreads grey, red-green or RGB pixels over opaque RGBA. */
export function copyToRgba(data: Uint8Array, channels: number, rgba: Uint8ClampedArray): void {
  for (let from = 0, to = 0; from < data.length; from += channels, to += 4) {
    rgba[to] = data[from]!;
    rgba[to + 1] = channels === 1 ? data[from]! : data[from + 1]!;
    rgba[to + 2] = channels === 1 ? data[from]! : channels === 2 ? 0 : data[from + 2]!;
    rgba[to + 3] = 255;
  }
}

function dropBlue({ data, width, height }: Pixels): Pixels {
  const kept = new Uint8Array(width * height * 2);
  for (let from = 0, to = 0; from < data.length; from += 3, to += 2) {
    kept[to] = data[from]!;
    kept[to + 1] = data[from + 1]!;
  }
  return { data: kept, width, height, channels: 2 };
}
