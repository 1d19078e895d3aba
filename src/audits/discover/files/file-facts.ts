/** What an image's file says besides its pixels. */

import { type ExifFacts, readExif } from "./exif.ts";
import { type JpegTables, jpegTables } from "./jpeg-tables.ts";

export interface FileFacts {
  /** By its content, not its name: `jpeg`, `png`, … */
  format: string;
  bytes: number;
  /** As it is stored, before an EXIF orientation turns it. */
  width: number;
  height: number;
  orientation: number;
  chroma: string | undefined;
  progressive: boolean;
  colourSpace: string;
  /** Bits of a sample. */
  depth: string;
  transparent: boolean;
  profile: boolean;
  palette: boolean;
  /** Dots an inch. */
  density: number | undefined;
  jpeg: JpegTables | undefined;
  exif: ExifFacts | undefined;
}

/** Undefined where the bytes are of no kind that can be looked into. */
export async function fileFacts(bytes: Uint8Array): Promise<FileFacts | undefined> {
  const { default: sharp } = await import("sharp");
  const found = await sharp(bytes, { failOn: "none", limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (found === undefined) return undefined;
  return {
    format: found.format,
    bytes: bytes.length,
    width: found.width,
    height: found.height,
    orientation: found.orientation ?? 1,
    chroma: found.chromaSubsampling,
    progressive: found.isProgressive,
    colourSpace: found.space,
    depth: found.depth,
    transparent: found.hasAlpha,
    profile: found.hasProfile,
    palette: found.isPalette,
    density: found.density,
    jpeg: jpegTables(bytes),
    exif: found.exif && readExif(found.exif),
  };
}
