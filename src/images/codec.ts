/** Images to bytes and back: our own PNG for the common case, Skia for JPEG, sharp for everything else. */

import type { EncodedImage, ImageShape, Pixels } from "../core/dataset.ts";
import { decodePng, encodePng } from "./png.ts";

export type ImageEncoding = "png" | "jpeg";

/** Extensions that people's folders may hold. */
export const imageExtensions = ["png", "jpg", "jpeg", "webp", "bmp", "gif", "tif", "tiff", "avif"] as const;

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
 */
export const readerVersion = 2;

/**
 * Decodes to 8-bit grey or RGB, upright; transparency is dropped, as PIL's `convert("RGB")` does. `stored` is the shape
 * that the dataset declares: two-channel images lie in files as RGB.
 */
export async function decodeImage(bytes: Uint8Array, stored?: ImageShape | null): Promise<Pixels> {
  const decoded = decodePng(bytes) ?? (await decodeWithSharp(bytes, { upright: true }));
  return stored?.channels === 2 && decoded.channels === 3 ? dropBlue(decoded) : decoded;
}

/** Pixels as they lie in the file: what boxes and masks of published photographs are about. */
export async function decodeAsStored(bytes: Uint8Array): Promise<Pixels> {
  return decodePng(bytes) ?? decodeWithSharp(bytes, { upright: false });
}

/** Whether an EXIF orientation turns or mirrors the image. */
export async function isTurned(bytes: Uint8Array): Promise<boolean> {
  // Few files have any, and looking for the mark takes a thousandth of what decoding takes.
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, mostHead));
  if (!head.includes("Exif") && !head.includes("eXIf") && !isTiff(head)) return false;
  const { default: sharp } = await import("sharp");
  const { orientation = 1 } = await sharp(bytes).metadata();
  return orientation > 1;
}

/** Marks stand before the pixels, but for WebP, whose EXIF comes last. */
const mostHead = 2 ** 24;

function isTiff(head: Buffer): boolean {
  return head.subarray(0, 2).equals(Buffer.from("II")) || head.subarray(0, 2).equals(Buffer.from("MM"));
}

async function decodeWithSharp(bytes: Uint8Array, { upright }: { upright: boolean }): Promise<Pixels> {
  const { default: sharp } = await import("sharp");
  // "warning" also refuses files whose last rows are missing, which lesser settings fill with grey.
  const image = sharp(bytes, { failOn: "warning", autoOrient: upright });
  const { channels: found, space } = await image.metadata();
  const grey = found <= 2 && (space === "b-w" || space === "grey16");
  const { data, info } = await image
    .removeAlpha()
    .toColourspace(grey ? "b-w" : "srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

async function encodeJpeg({ data, width, height, channels }: Pixels): Promise<Uint8Array> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  copyToRgba(data, channels, image.data);
  context.putImageData(image, 0, 0);
  return canvas.encodeSync("jpeg", jpegQuality);
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
