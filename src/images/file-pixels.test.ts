/** Files of many kinds against what Pillow and Little CMS find in them: bitmaps, colour profiles, transparency, CMYK. */

import sharp from "sharp";
import { expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import { decodeBmp } from "./bmp.ts";
import { decodeAsStored, decodeImage, type FileNotes } from "./codec.ts";

interface FileCase {
  name: string;
  /** In base64, as are the pixels. */
  file: string;
  shape: [number, number, number];
  pixels: string;
  /** How far a value may be off, where two programs round. */
  within: number;
  notes: Partial<FileNotes>;
}

const cases = storedReference<FileCase[]>("pil_files");

test.each(cases)("$name", async ({ file, shape, pixels, within, notes }) => {
  const { data, height, width, channels, notes: found } = await decodeImage(Buffer.from(file, "base64"));
  expect([height, width, channels]).toEqual(shape);
  const expected = Buffer.from(pixels, "base64");
  const off = Math.max(...expected.map((value, i) => Math.abs(value - data[i]!)));
  expect(off).toBeLessThanOrEqual(within);
  expect(found).toEqual({ turned: false, transparent: false, recoloured: false, ...notes });
});

test("what boxes and masks are about has no white laid under it", async () => {
  const { file } = cases.find(({ name }) => name === "PNG with transparency")!;
  const { data } = await decodeAsStored(Buffer.from(file, "base64"));
  // The last column is hardly to be seen; its red is 6 × 42.
  expect(data[6 * 3]).toBe(252);
});

test("CMYK becomes the colours that its inks have", async () => {
  const inks = [
    [0, 0, 0, 0],
    [0, 0, 0, 255],
    [255, 0, 0, 0],
    [0, 255, 255, 0],
  ];
  // Sharp writes what it is given in its own colours; a TIFF of bare inks is made by hand.
  const { data, notes } = await decodeImage(cmykTiff(inks));
  const [paper, black, cyan, red] = [0, 1, 2, 3].map((i) => [...data.subarray(3 * i, 3 * i + 3)]);
  expect(paper!.every((value) => value > 250)).toBe(true);
  expect(black!.every((value) => value < 60)).toBe(true);
  expect(cyan![2]! - cyan![0]!).toBeGreaterThan(150);
  expect(red![0]! - red![1]!).toBeGreaterThan(150);
  expect(notes?.recoloured).toBe(true);
});

test("damaged and foreign files say what they are", async () => {
  const { file } = cases.find(({ name }) => name === "bmp 24 bits")!;
  const bitmap = Buffer.from(file, "base64");
  expect(() => decodeBmp(bitmap.subarray(0, bitmap.length - 40))).toThrow("truncated BMP");
  await expect(decodeImage(Buffer.from("BMW is a make of cars, and this a text"))).rejects.toThrow(
    "it begins like no picture that is read",
  );
  await expect(decodeImage(Buffer.alloc(0))).rejects.toThrow("the file is empty");
  await expect(decodeImage(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1"))).rejects.toThrow(
    "HEIC, which is not read: convert to JPEG",
  );
  expect((await decodeImage(await sharp(bitmapOfSharp()).avif({ lossless: true }).toBuffer())).width).toBe(
    16,
  );
});

function bitmapOfSharp() {
  return { create: { width: 16, height: 16, channels: 3, background: "teal" } } as const;
}

/** One row of pixels, uncompressed, in four inks. */
function cmykTiff(inks: readonly number[][]): Buffer {
  const entries = [
    [256, 4, 1, inks.length],
    [257, 4, 1, 1],
    [258, 3, 4, 8 + 2 + 12 * 10 + 4],
    [259, 3, 1, 1],
    [262, 3, 1, 5],
    [273, 4, 1, 8 + 2 + 12 * 10 + 4 + 8],
    [277, 3, 1, 4],
    [278, 4, 1, 1],
    [279, 4, 1, 4 * inks.length],
    [332, 3, 1, 1],
  ];
  const tiff = Buffer.alloc(8 + 2 + 12 * entries.length + 4 + 8);
  tiff.write("II*\0", 0, "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(entries.length, 8);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + 12 * i;
    tiff.writeUInt16LE(tag!, at);
    tiff.writeUInt16LE(type!, at + 2);
    tiff.writeUInt32LE(count!, at + 4);
    tiff.writeUInt32LE(value!, at + 8);
  }
  for (let c = 0; c < 4; c++) tiff.writeUInt16LE(8, tiff.length - 8 + 2 * c);
  return Buffer.concat([tiff, Buffer.from(inks.flat())]);
}
