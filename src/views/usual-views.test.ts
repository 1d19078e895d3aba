import { expect, test } from "vitest";
import type { ImageShape } from "../core/dataset.ts";
import { type Random, randomStream } from "../core/random.ts";
import { alone, Chain } from "./chain.ts";

const shape: ImageShape = { height: 6, width: 8, channels: 3 };

function picture({ height, width, channels }: ImageShape): Uint8Array {
  return Uint8Array.from({ length: height * width * channels }, (_, i) => (i * 37 + (i >> 3) * 11) % 256);
}

/** One view of an image, with the mean of what would be the training images. */
async function changedBy(
  view: string,
  data: Uint8Array,
  of: ImageShape,
  random: Random,
  settings: Record<string, unknown> = {},
): Promise<Uint8Array> {
  const at = { ...alone(random), mean: [40.2, 50.6, 60].slice(0, of.channels) };
  const { pixels } = await new Chain([{ view, with: settings }]).make({ data, ...of }, at);
  return pixels.data;
}

/** The same change at many indices of one stream. */
function many(name: string, times: number, of = shape): Promise<Uint8Array[]> {
  const stream = randomStream(3, "test");
  return Promise.all(Array.from({ length: times }, (_, i) => changedBy(name, picture(of), of, stream.at(i))));
}

const changed = (images: Uint8Array[], of = shape) => {
  const before = picture(of);
  return images.filter((image) => Buffer.compare(image, before) !== 0).length;
};

test("flip mirrors half of the images, and twice is not at all", async () => {
  const mirrored = Uint8Array.from(picture(shape), (_, i) => {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    const [y, x] = [Math.floor(pixel / 8), pixel % 8];
    return picture(shape)[(y * 8 + (7 - x)) * 3 + channel]!;
  });
  const images = await many("flip", 400);
  // Binomial(400, ½): four standard deviations are 40.
  expect(Math.abs(changed(images) - 200)).toBeLessThan(40);
  for (const image of images) expect([picture(shape), mirrored]).toContainEqual(image);
});

test("grey leaves a tenth of the images with equal channels of BT.601 weight", async () => {
  const images = await many("grey", 1000);
  // Binomial(1000, 0.1): four standard deviations are 38.
  expect(Math.abs(changed(images) - 100)).toBeLessThan(38);
  const grey = images.find((image) => image[0] === image[1] && image[1] === image[2])!;
  const [r, g, b] = picture(shape) as unknown as [number, number, number];
  expect(grey[0]).toBe(Math.round(0.299 * r + 0.587 * g + 0.114 * b));
});

test("erase empties one rectangle of 2 to 33% in a tenth of the images", async () => {
  const large: ImageShape = { height: 40, width: 40, channels: 1 };
  const white = new Uint8Array(1600).fill(255);
  const stream = randomStream(4, "test");
  let erased = 0;
  for (let i = 0; i < 1000; i++) {
    const image = Uint8Array.from(white);
    await changedBy("erase", image, large, stream.at(i), { fill: "black" });
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

test("crop keeps a flat image flat and enlarges what is inside", async () => {
  const flat = new Uint8Array(6 * 8 * 3).fill(90);
  await changedBy("crop", flat, shape, randomStream(1, "test").at(0));
  expect(new Set(flat)).toEqual(new Set([90]));
  // A ramp stays monotonous, and its range shrinks to that of the window.
  const ramp: ImageShape = { height: 4, width: 32, channels: 1 };
  const image = Uint8Array.from({ length: 128 }, (_, i) => (i % 32) * 8);
  await changedBy("crop", image, ramp, randomStream(2, "test").at(0));
  for (let x = 1; x < 32; x++) expect(image[x]).toBeGreaterThanOrEqual(image[x - 1]!);
  expect(image[31]! - image[0]!).toBeLessThan(248);
});

test("jitter keeps black black, and stays within bytes for one, two and three channels", async () => {
  for (const channels of [1, 2, 3]) {
    const of = { ...shape, channels };
    expect(changed(await many("jitter", 20, of), of)).toBe(20);
    const black = new Uint8Array(6 * 8 * channels);
    await changedBy("jitter", black, of, randomStream(1, "test").at(0));
    expect(new Set(black)).toEqual(new Set([0]));
  }
});

test("a constant image stays constant when it turns grey, with two channels as with three", async () => {
  for (const channels of [2, 3]) {
    const of = { ...shape, channels };
    const stream = randomStream(5, "test");
    for (let i = 0; i < 100; i++) {
      const image = new Uint8Array(6 * 8 * channels).fill(200);
      await changedBy("grey", image, of, stream.at(i));
      expect(new Set(image)).toEqual(new Set([200]));
    }
  }
});

test("watermark writes white on half of the images, each time elsewhere", async () => {
  const of: ImageShape = { height: 64, width: 64, channels: 3 };
  const images = await many("watermark", 100, of);
  // Binomial(100, ½): four standard deviations are 20.
  expect(Math.abs(changed(images, of) - 50)).toBeLessThan(20);
  const before = picture(of);
  expect(images.every((image) => image.every((value, i) => value >= before[i]!))).toBe(true);
  const firstChanges = images.map((image) => image.findIndex((value, i) => value !== before[i]));
  expect(new Set(firstChanges).size).toBeGreaterThan(30);
});

test("erase fills with the mean of the training images, or with black", async () => {
  const of: ImageShape = { height: 20, width: 20, channels: 3 };
  const white = () => new Uint8Array(1200).fill(255);
  for (const [fill, expected] of [
    ["mean", [40, 51, 60]],
    ["black", [0, 0, 0]],
  ] as const) {
    const random = randomStream(1, "test").at(0);
    const image = await changedBy("erase", white(), of, random, { probability: 1, fill });
    const hole = image.findIndex((value) => value !== 255);
    expect([...image.subarray(hole, hole + 3)]).toEqual(expected);
    expect(new Set(image)).toEqual(new Set([255, ...expected]));
  }
});

test("crop's window is as large as its settings say", async () => {
  // A ramp of one byte a column: the range that is left is the window's width.
  const of: ImageShape = { height: 64, width: 200, channels: 1 };
  const stream = randomStream(2, "test");
  for (let i = 0; i < 50; i++) {
    const ramp = Uint8Array.from({ length: 64 * 200 }, (_, at) => at % 200);
    const image = await changedBy("crop", ramp, of, stream.at(i), { scale: [0.25, 0.25], aspect: [1, 1] });
    // √(64·200/4) = 56.6 columns, less half of one at either end where the window's centres lie.
    expect(Math.abs(image[199]! - image[0]! - 56.6)).toBeLessThan(1.5);
  }
  const whole = Uint8Array.from(picture(shape));
  expect(
    await changedBy("crop", Uint8Array.from(whole), shape, stream.at(0), {
      scale: [1, 1],
      aspect: [4 / 3, 4 / 3],
    }),
  ).toEqual(whole);
});

test("jitter without strength and probabilities of 0 change nothing", async () => {
  const stream = randomStream(2, "test");
  const still = { brightness: 0, contrast: 0, saturation: 0, hue: 0 };
  const grey: ImageShape = { ...shape, channels: 1 };
  expect(await changedBy("jitter", picture(grey), grey, stream.at(0), still)).toEqual(picture(grey));
  for (const view of ["flip", "grey", "erase", "watermark"])
    expect(await changedBy(view, picture(shape), shape, stream.at(0), { probability: 0 })).toEqual(
      picture(shape),
    );
});
