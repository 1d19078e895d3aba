import { expect, test } from "vitest";
import type { ImageShape } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { type AugmentationName, augmentationNames, augmentImage } from "./augmentations.ts";

const shape: ImageShape = { height: 6, width: 8, channels: 3 };

function picture({ height, width, channels }: ImageShape): Uint8Array {
  return Uint8Array.from({ length: height * width * channels }, (_, i) => (i * 37 + (i >> 3) * 11) % 256);
}

/** The same change at many indices of one stream. */
function many(name: AugmentationName, times: number, of = shape): Uint8Array[] {
  const stream = randomStream(3, "test");
  return Array.from({ length: times }, (_, i) => {
    const image = picture(of);
    augmentImage(image, of, [name], stream.at(i));
    return image;
  });
}

const changed = (images: Uint8Array[], of = shape) => {
  const before = picture(of);
  return images.filter((image) => Buffer.compare(image, before) !== 0).length;
};

test("flip mirrors half of the images, and twice is not at all", () => {
  const mirrored = Uint8Array.from(picture(shape), (_, i) => {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    const [y, x] = [Math.floor(pixel / 8), pixel % 8];
    return picture(shape)[(y * 8 + (7 - x)) * 3 + channel]!;
  });
  const images = many("flip", 400);
  // Binomial(400, ½): four standard deviations are 40.
  expect(Math.abs(changed(images) - 200)).toBeLessThan(40);
  for (const image of images) expect([picture(shape), mirrored]).toContainEqual(image);
});

test("grey leaves a tenth of the images with equal channels of BT.601 weight", () => {
  const images = many("grey", 1000);
  // Binomial(1000, 0.1): four standard deviations are 38.
  expect(Math.abs(changed(images) - 100)).toBeLessThan(38);
  const grey = images.find((image) => image[0] === image[1] && image[1] === image[2])!;
  const [r, g, b] = picture(shape) as unknown as [number, number, number];
  expect(grey[0]).toBe(Math.round(0.299 * r + 0.587 * g + 0.114 * b));
});

test("erase blackens one rectangle of 2 to 33% in a tenth of the images", () => {
  const large: ImageShape = { height: 40, width: 40, channels: 1 };
  const white = new Uint8Array(1600).fill(255);
  const stream = randomStream(4, "test");
  let erased = 0;
  for (let i = 0; i < 1000; i++) {
    const image = Uint8Array.from(white);
    augmentImage(image, large, ["erase"], stream.at(i));
    const holes = [...image.keys()].filter((at) => image[at] === 0);
    if (holes.length === 0) continue;
    erased++;
    const [rows, columns] = [
      new Set(holes.map((at) => Math.floor(at / 40))),
      new Set(holes.map((at) => at % 40)),
    ];
    expect(rows.size * columns.size).toBe(holes.length);
    // Rounding of the sides and the image's border move the area a little.
    expect(holes.length / 1600).toBeGreaterThan(0.01);
    expect(holes.length / 1600).toBeLessThan(0.36);
  }
  expect(Math.abs(erased - 100)).toBeLessThan(38);
});

test("crop keeps a flat image flat and enlarges what is inside", () => {
  const flat = new Uint8Array(6 * 8 * 3).fill(90);
  augmentImage(flat, shape, ["crop"], randomStream(1, "test").at(0));
  expect(new Set(flat)).toEqual(new Set([90]));
  // A ramp stays monotonous, and its range shrinks to that of the window.
  const ramp: ImageShape = { height: 4, width: 32, channels: 1 };
  const image = Uint8Array.from({ length: 128 }, (_, i) => (i % 32) * 8);
  augmentImage(image, ramp, ["crop"], randomStream(2, "test").at(0));
  for (let x = 1; x < 32; x++) expect(image[x]).toBeGreaterThanOrEqual(image[x - 1]!);
  expect(image[31]! - image[0]!).toBeLessThan(248);
});

test("jitter keeps black black, and stays within bytes for one, two and three channels", () => {
  for (const channels of [1, 2, 3]) {
    const of = { ...shape, channels };
    expect(changed(many("jitter", 20, of), of)).toBe(20);
    const black = new Uint8Array(6 * 8 * channels);
    augmentImage(black, of, ["jitter"], randomStream(1, "test").at(0));
    expect(new Set(black)).toEqual(new Set([0]));
  }
});

test("a constant image stays constant when it turns grey, with two channels as with three", () => {
  for (const channels of [2, 3]) {
    const of = { ...shape, channels };
    const stream = randomStream(5, "test");
    for (let i = 0; i < 100; i++) {
      const image = new Uint8Array(6 * 8 * channels).fill(200);
      augmentImage(image, of, ["grey"], stream.at(i));
      expect(new Set(image)).toEqual(new Set([200]));
    }
  }
});

test("watermark writes white on half of the images, each time elsewhere", () => {
  const of: ImageShape = { height: 64, width: 64, channels: 3 };
  const images = many("watermark", 100, of);
  // Binomial(100, ½): four standard deviations are 20.
  expect(Math.abs(changed(images, of) - 50)).toBeLessThan(20);
  const before = picture(of);
  expect(images.every((image) => image.every((value, i) => value >= before[i]!))).toBe(true);
  const firstChanges = images.map((image) => image.findIndex((value, i) => value !== before[i]));
  expect(new Set(firstChanges).size).toBeGreaterThan(30);
});

test.each(augmentationNames)("%s depends on its random stream alone", (name) => {
  const of = name === "watermark" ? { ...shape, height: 32, width: 40 } : shape;
  expect(many(name, 30, of)).toEqual(many(name, 30, of));
});
