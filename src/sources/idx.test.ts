import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { labelsPathOf, readIdxPair } from "./idx.ts";

const root = temporaryFolder();
const about = { name: "own", license: "yours" };

function idx(shape: number[], data: number[]): Buffer {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header[2] = 8;
  header[3] = shape.length;
  shape.forEach((length, i) => {
    header.writeUInt32BE(length, 4 + 4 * i);
  });
  return Buffer.concat([header, Buffer.from(data)]);
}

function pair(images: Buffer, labels: Buffer) {
  const folder = mkdtempSync(join(root, "pair-"));
  const imagesPath = join(folder, "own-images-idx3-ubyte");
  writeFileSync(imagesPath, images);
  writeFileSync(labelsPathOf(imagesPath), labels);
  return { imagesPath, labelsPath: labelsPathOf(imagesPath) };
}

const images = idx([2, 2, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
const labels = idx([2], [4, 7]);

test("a pair is read, plain or gzipped", async () => {
  for (const files of [pair(images, labels), pair(gzipSync(images), gzipSync(labels))]) {
    const read = await readIdxPair(files, about);
    expect(read).toMatchObject({ count: 2, height: 2, width: 3 });
    expect([...read.labels]).toEqual([4, 7]);
    expect([...read.image(1)]).toEqual([7, 8, 9, 10, 11, 12]);
    expect(Object.keys(read.source.sha256)).toHaveLength(2);
  }
});

test.each([
  [
    "truncated",
    images.subarray(0, 20),
    labels,
    /expected: 12 bytes of data for shape 2×2×3[\s\S]*got: 4 bytes/,
  ],
  ["wrong magic", Buffer.from("not an IDX file at all"), labels, /magic bytes 0 0 8 3/],
  ["empty", Buffer.alloc(0), labels, /an IDX header[\s\S]*got: 0 bytes/],
  ["fewer labels", images, idx([1], [4]), /2 labels, one an image[\s\S]*got: 1 labels/],
  ["damaged gzip", gzipSync(images).subarray(0, 20), labels, /gzipped IDX file is damaged/],
])("%s is refused by name", async (_, badImages, badLabels, message) => {
  await expect(readIdxPair(pair(badImages, badLabels), about)).rejects.toThrow(message);
});

test("a file with another digest than the published one is refused", async () => {
  const expected = { "own-images-idx3-ubyte": "0".repeat(64) };
  await expect(readIdxPair(pair(images, labels), { ...about, expected })).rejects.toThrow(
    /not the published one[\s\S]*expected: SHA-256 0000[\s\S]*got: SHA-256 [0-9a-f]{64}/,
  );
});

test("a missing file and an unguessable name say what is expected", async () => {
  await expect(
    readIdxPair({ imagesPath: "/nowhere/images", labelsPath: "/nowhere/labels" }, about),
  ).rejects.toThrow(/cannot read the IDX file/);
  expect(() => labelsPathOf("/data/digits.bin")).toThrow(/train-images-idx3-ubyte/);
});
