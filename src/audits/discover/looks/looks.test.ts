/** What images look like, of pictures whose numbers are known. */

import sharp from "sharp";
import { expect, test } from "vitest";
import type { Pixels } from "../../../core/dataset.ts";
import { randomStream } from "../../../core/random.ts";
import { hueOf } from "./colour-look.ts";
import { lookAt, type Planes, planesOf } from "./look.ts";
import { colourName } from "./margin-look.ts";
import { bagOfPatches, lightCopy, perceptualHashes } from "./small-copies.ts";

type Rgb = readonly [number, number, number];

function painted(width: number, height: number, colour: (x: number, y: number) => Rgb): Pixels {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(colour(x, y), 3 * (y * width + x));
  return { data, width, height, channels: 3 };
}

const look = (pixels: Pixels) => lookAt(planesOf(pixels));

test("brightness, contrast, saturation and hue of two halves, by hand", () => {
  // Left half black, right half pure red: BT.601 gives red 76 of 255.
  const { colour } = look(painted(20, 10, (x) => (x < 10 ? [0, 0, 0] : [255, 0, 0])));
  expect(colour.brightness).toBeCloseTo(38 / 255, 12);
  expect(colour.contrast).toBeCloseTo(38 / 255, 12);
  expect(colour.saturation).toBeCloseTo(0.5, 12);
  expect(colour.hue).toBeCloseTo(0, 6);
  expect(colour.hues).toEqual([1, 0, 0, 0, 0, 0]);
  expect(colour.tones).toBeCloseTo(1, 12);
  expect(colour.grey).toBe(false);
  expect([hueOf(0, 255, 0), hueOf(0, 0, 255), hueOf(255, 255, 0), hueOf(255, 0, 255)]).toEqual([
    120, 240, 60, 300,
  ]);
});

test("grey pictures are grey, also as JPEG; a red stamp on one is colour", async () => {
  const random = randomStream(0, "grey").at(0);
  const grey = painted(64, 64, () => {
    const value = random.integer(256);
    return [value, value, value];
  });
  expect(look(grey).colour).toMatchObject({ grey: true, hue: undefined });
  const raw = { width: 64, height: 64, channels: 3 as const };
  const jpeg = await sharp(grey.data, { raw }).jpeg({ quality: 60 }).toBuffer();
  const decoded = await sharp(jpeg).raw().toBuffer();
  expect(look({ ...grey, data: decoded }).colour.grey).toBe(true);
  const stamped = painted(64, 64, (x, y) => (x < 10 && y < 10 ? [200, 0, 0] : [90, 90, 90]));
  expect(look(stamped).colour.grey).toBe(false);
});

test("noise of a known deviation is found, and blurring lowers sharpness", async () => {
  const random = randomStream(0, "noise").at(0);
  const noisy = painted(128, 128, () => {
    const value = Math.round(128 + 10 * random.normal());
    return [value, value, value];
  });
  // Immerkær's estimate is unbiased for normal noise; of 16,000 pixels it is good to a few hundredths.
  expect(look(noisy).detail.noise).toBeCloseTo(10, 0);
  const raw = { width: 128, height: 128, channels: 3 as const };
  const blurred = await sharp(noisy.data, { raw }).blur(2).raw().toBuffer();
  expect(look({ ...noisy, data: blurred }).detail.sharpness).toBeLessThan(look(noisy).detail.sharpness / 2);
});

test("bars, frames and backgrounds", () => {
  const random = randomStream(0, "bars").at(0);
  const inside = (): Rgb => [random.integer(256), random.integer(256), random.integer(256)];
  const bars = look(painted(100, 80, (_, y) => (y < 10 || y >= 70 ? [0, 0, 0] : inside()))).margin;
  expect(bars).toMatchObject({ border: 0.25, borderColour: "black" });
  expect(look(painted(100, 80, inside)).margin).toMatchObject({ border: 0, borderColour: "none" });
  expect(look(painted(100, 80, () => [20, 90, 20])).margin).toMatchObject({
    border: 0,
    backgroundColour: "green",
    unevenness: 0,
  });
  const framed = look(
    painted(60, 60, (x, y) => (Math.min(x, y, 59 - x, 59 - y) === 4 ? [255, 255, 255] : [90, 90, 90])),
  ).margin;
  expect(framed.frame).toBe(165);
  expect(colourName([250, 250, 248])).toBe("white");
});

test("what stands out: place, size and hue; strokes; where detail is", () => {
  const square = look(
    painted(100, 50, (x, y) => (x >= 70 && x < 90 && y >= 10 && y < 20 ? [0, 0, 255] : [200, 200, 200])),
  );
  expect(square.place).toMatchObject({ x: 0.8, y: 0.3, size: 200 / 5000, hue: 240 });
  expect(look(painted(50, 50, () => [7, 7, 7])).place).toMatchObject({ size: 0, x: undefined });
  const lined = look(
    painted(60, 60, (x, y) => (x > 40 && y > 40 && x % 6 < 2 ? [255, 255, 255] : [90, 90, 90])),
  );
  expect(lined.detail.lightStrokes).toBeGreaterThan(0.02);
  expect(lined.detail.darkStrokes).toBeLessThan(lined.detail.lightStrokes);
  expect(lined.detail.cells[8]).toBeGreaterThan(0.9);
});

test("images of any size can be looked at, down to one pixel", () => {
  for (const [width, height] of [
    [1, 1],
    [1, 9],
    [2, 3],
    [7, 1],
    [33, 17],
  ] as const) {
    const pixels = painted(width, height, (x, y) => [x, y, 99]);
    const planes = planesOf(pixels);
    const { colour, detail, margin, place } = lookAt(planes);
    const all = [
      colour.brightness,
      detail.sharpness,
      detail.noise,
      ...detail.cells,
      margin.frame,
      place.size,
    ];
    for (const value of [...all, ...bagOfPatches(planes, colour.hues), ...lightCopy(planes)])
      expect(Number.isFinite(value)).toBe(true);
  }
});

test("the perceptual hash keeps nearly all bits when a picture is resized and compressed, and half when it is another", async () => {
  const scene = (seed: number) => {
    const random = randomStream(seed, "scene").at(0);
    const waves = Array.from({ length: 6 }, () => [
      random.uniform() / 8,
      random.uniform() / 8,
      6 * random.uniform(),
    ]);
    return painted(160, 120, (x, y) => {
      const value = 128 + waves.reduce((sum, [a, b, c]) => sum + 20 * Math.sin(a! * x + b! * y + c!), 0);
      return [value, value, value];
    });
  };
  const bits = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll("0", "").length;
  const raw = { width: 160, height: 120, channels: 3 as const };
  const one = scene(1);
  const jpeg = await sharp(one.data, { raw })
    .resize(101, 83, { fit: "fill" })
    .jpeg({ quality: 50 })
    .toBuffer();
  const data = await sharp(jpeg).raw().toBuffer();
  const perceptualHash = (planes: Planes) => perceptualHashes(planes).upright;
  const again = perceptualHash(planesOf({ data, width: 101, height: 83, channels: 3 }));
  expect(bits(perceptualHash(planesOf(one)), again)).toBeLessThanOrEqual(7);
  expect(bits(perceptualHash(planesOf(one)), perceptualHash(planesOf(scene(2))))).toBeGreaterThan(16);
});
