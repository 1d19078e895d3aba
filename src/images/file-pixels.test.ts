/** Files of many kinds against what Pillow and Little CMS find in them: bitmaps, colour profiles, transparency, CMYK. */

import sharp from "sharp";
import { expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import { decodeBmp } from "./bmp.ts";
import { decodeAsStored, decodeImage, type FileNotes } from "./codec.ts";
import { requireMarkersInOrder } from "./jpeg-markers.ts";

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

test("image data that end in a marker that cannot be there are refused, restarts and fillers are none", async () => {
  const picture = sharp(bitmapOfSharp());
  const jpeg = await picture.jpeg({ quality: 90 }).toBuffer();
  expect((await decodeImage(jpeg)).width).toBe(16);
  const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
  const behind = scan + 2 + jpeg.readUInt16BE(scan + 2);
  const withBytes = (...bytes: number[]) =>
    Buffer.concat([jpeg.subarray(0, behind), Buffer.from(bytes), jpeg.subarray(behind)]);
  // Reserved ones, a second frame, a second scan.
  for (const marker of [0x80, 0x02, 0xf5, 0xc0, 0xda])
    await expect(decodeImage(withBytes(0xff, marker))).rejects.toThrow(
      `a marker that cannot be there, 0x${marker.toString(16)} at byte ${behind}`,
    );
  expect(() => requireMarkersInOrder(withBytes(0xff, 0xfe, 0, 2, 0xff, 0xd9))).not.toThrow();
  for (const known of [
    [0xff, 0xff, 0x00],
    [0xff, 0x00],
    [0xff, 0xd0],
  ])
    expect(() => requireMarkersInOrder(withBytes(...known))).not.toThrow();
});

function bitmapOfSharp() {
  return { create: { width: 16, height: 16, channels: 3, background: "teal" } } as const;
}
