/** What files say, read from files that sharp has written. */

import sharp from "sharp";
import { expect, test } from "vitest";
import { exifTime, readExif } from "./exif.ts";
import { fileFacts } from "./file-facts.ts";
import { jpegTables } from "./jpeg-tables.ts";
import { nameFacts, seriesOf } from "./name-facts.ts";

const picture = () =>
  sharp(
    Uint8Array.from({ length: 48 * 32 * 3 }, (_, i) => (i * 37) % 256),
    { raw: { width: 48, height: 32, channels: 3 } },
  );

test.each([1, 10, 49, 50, 75, 90, 95, 100])("JPEG quality %i is read from the tables", async (quality) => {
  const bytes = await picture().jpeg({ quality }).toBuffer();
  expect(jpegTables(bytes)).toEqual({ quality, tables: "standard" });
});

test("other tables are told apart by a digest; a PNG has none, and a damaged file no more than it holds", async () => {
  const own = await picture().jpeg({ quality: 80, quantisationTable: 3 }).toBuffer();
  expect(jpegTables(own)!.tables).toMatch(/^own [0-9a-f]{6}$/);
  expect(jpegTables(await picture().png().toBuffer())).toBeUndefined();
  for (let end = 0; end < 400; end += 7) expect(() => jpegTables(own.subarray(0, end))).not.toThrow();
});

test("EXIF that sharp wrote: camera, software, time, exposure", async () => {
  const bytes = await picture()
    .jpeg()
    .withExif({
      IFD0: { Make: "Acme", Model: "Acme X1", Software: "GIMP 2.10" },
      IFD2: { DateTimeOriginal: "2024:05:06 07:08:09", ISOSpeedRatings: "400", ExposureTime: "1/250" },
    })
    .toBuffer();
  const { exif, format, width, height, jpeg, chroma } = (await fileFacts(bytes))!;
  expect(exif).toMatchObject({ camera: "Acme X1", software: "GIMP 2.10", located: false });
  expect(exif!.taken).toEqual({
    year: 2024,
    month: 5,
    day: 6,
    hour: 7,
    seconds: Date.UTC(2024, 4, 6, 7, 8, 9) / 1000,
  });
  expect(exif!.exposure).toBeCloseTo(1 / 250, 12);
  expect({ format, width, height, chroma }).toEqual({
    format: "jpeg",
    width: 48,
    height: 32,
    chroma: "4:2:0",
  });
  expect(jpeg!.quality).toBe(80);
});

test("damaged EXIF is left out, wherever it ends", async () => {
  const bytes = await picture()
    .jpeg()
    .withExif({ IFD0: { Make: "Acme", Model: "X1" } })
    .toBuffer();
  const { exif } = await sharp(bytes).metadata();
  for (let end = 0; end < exif!.length; end++) expect(() => readExif(exif!.subarray(0, end))).not.toThrow();
  for (let at = 6; at < exif!.length; at++) {
    const turned = Uint8Array.from(exif!);
    turned[at] = turned[at]! ^ 0xff;
    expect(() => readExif(turned)).not.toThrow();
  }
  expect(exifTime("0000:00:00 00:00:00")).toBeUndefined();
});

test("names without class and split", () => {
  const words = { className: "cat", splitName: "train" };
  expect(nameFacts("train/cat/flickr/Cat_012.JPG", words)).toEqual({
    folder: "flickr",
    stem: "_012",
    ending: "JPG",
  });
  expect(seriesOf(nameFacts("train/cat/video12_frame003.png", words))).toEqual({
    series: "/video12_frame",
    number: 3,
  });
  expect(seriesOf(nameFacts("a.b/c", words))).toBeUndefined();
  // Only whole words, and no digits: else names of one class would be cut shorter than those of others.
  const stem = (file: string, className: string) => nameFacts(file, { className, splitName: "train" }).stem;
  expect([stem("b/bild7.jpg", "b"), stem("7/bild7.jpg", "7"), stem("b/b12.jpg", "b")]).toEqual([
    "bild7",
    "bild7",
    "12",
  ]);
});
