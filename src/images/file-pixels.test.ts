/** Files of many kinds against what Pillow and Little CMS find in them: bitmaps, colour profiles, transparency, CMYK. */

import sharp from "sharp";
import { expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import { decodeBmp } from "./bmp.ts";
import { decodeAsStored, decodeImage, decodeShrunk, type FileNotes } from "./codec.ts";
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

test("what a file says twice, or against itself, is no picture", async () => {
  const picture = sharp(bitmapOfSharp());
  const tiff = Buffer.from(await picture.tiff({ compression: "lzw" }).toBuffer());
  expect((await decodeImage(tiff)).width).toBe(16);
  const list = tiff.readUInt32LE(4);
  const tags = Array.from({ length: tiff.readUInt16LE(list) }, (_, i) => list + 2 + 12 * i);
  const tiffWith = (tag: number, field: number, value: number) => {
    const changed = Buffer.from(tiff);
    changed.writeUInt16LE(value, tags.find((at) => tiff.readUInt16LE(at) === tag)! + field);
    return decodeImage(changed);
  };
  await expect(tiffWith(256, 2, 1)).rejects.toThrow("a size of another type, 1 in tag 256");
  await expect(tiffWith(339, 0, 338)).rejects.toThrow("3 samples a pixel, 3 of colour and 3 more");
  await expect(tiffWith(339, 0, 317)).rejects.toThrow("tag 317 twice");
  const webp = await picture.webp({ lossless: true }).toBuffer();
  const part = Buffer.from("ALPH\0\0\0\0", "latin1");
  await expect(decodeImage(Buffer.concat([webp, part]))).rejects.toThrow("ALPH at byte");
  const png = await picture.png({ palette: true }).withMetadata().toBuffer();
  const [body, end] = [png.subarray(0, png.length - 12), png.subarray(png.length - 12)];
  const colours = png.indexOf("PLTE") - 4;
  const again = png.subarray(colours, colours + 12 + png.readUInt32BE(colours));
  expect((await decodeImage(png)).width).toBe(16);
  await expect(decodeImage(Buffer.concat([body, again, end]))).rejects.toThrow("PLTE cannot be at byte");
  const damaged = Buffer.from(png);
  damaged[png.indexOf("pHYs") + 5]! ^= 1;
  await expect(decodeImage(damaged)).rejects.toThrow("checksum of chunk pHYs is wrong");
  expect((await decodeShrunk(png, 8)).width).toBe(8);
  await expect(decodeShrunk(damaged, 8)).rejects.toThrow("checksum of chunk pHYs is wrong");
});

function bitmapOfSharp() {
  return { create: { width: 16, height: 16, channels: 3, background: "teal" } } as const;
}
