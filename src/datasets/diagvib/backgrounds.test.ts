import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { type BackgroundKind, paintBackground } from "./backgrounds.ts";

const canvas = 64;
const stripes = Uint8Array.from({ length: 256 * 256 }, (_, i) => (i % 256) & 255);

function paint(kind: BackgroundKind, index: number): Uint8Array {
  const pixels = new Uint8Array(3 * canvas * canvas);
  paintBackground(pixels, canvas, kind, randomStream(5, "test").at(index), () => ({
    grey: stripes,
    width: 256,
    top: 3,
    left: 7,
  }));
  return pixels;
}

const pixel = (pixels: Uint8Array, y: number, x: number) => [
  ...pixels.subarray(3 * (y * canvas + x), 3 * (y * canvas + x) + 3),
];

test("grey is the paper's, everywhere", () => {
  expect(new Set(paint("grey", 0))).toEqual(new Set([127]));
});

test("a colour is one muted colour, another for another image", () => {
  const seen = new Set<string>();
  for (let index = 0; index < 20; index++) {
    const pixels = paint("color", index);
    const color = pixel(pixels, 0, 0);
    expect(pixel(pixels, 40, 13)).toEqual(color);
    const [most, least] = [Math.max(...color) / 255, Math.min(...color) / 255];
    // Lightness from 0.35 to 0.65, saturation 0.35 of what that lightness allows.
    expect((most + least) / 2).toBeGreaterThan(0.34);
    expect((most + least) / 2).toBeLessThan(0.66);
    const lightness = (most + least) / 2;
    expect((most - least) / (2 * Math.min(lightness, 1 - lightness))).toBeCloseTo(0.35, 1);
    seen.add(color.join());
  }
  expect(seen.size).toBe(20);
});

test("a gradient is linear: the middle is the mean of opposite ends, and neighbours differ by little", () => {
  for (let index = 0; index < 10; index++) {
    const pixels = paint("gradient", index);
    for (let c = 0; c < 3; c++) {
      const [start, end] = [pixel(pixels, 5, 9)[c]!, pixel(pixels, canvas - 6, canvas - 10)[c]!];
      const [upper, lower] = [pixel(pixels, 31, 31)[c]!, pixel(pixels, 32, 32)[c]!];
      // Rounding to whole levels moves each by a half at most.
      expect(Math.abs((start + end) / 2 - (upper + lower) / 2)).toBeLessThanOrEqual(1);
      expect(Math.abs(upper - lower)).toBeLessThanOrEqual(10);
    }
    expect(pixel(pixels, 0, 0)).not.toEqual(pixel(pixels, canvas - 1, canvas - 1));
  }
});

test("a texture keeps its pattern at half its contrast", () => {
  const pixels = paint("texture", 0);
  for (const [y, x] of [
    [0, 0],
    [10, 50],
    [63, 63],
  ] as const) {
    const grey = 64 + Math.floor(stripes[(3 + y) * 256 + 7 + x]! / 2);
    expect(pixel(pixels, y, x)).toEqual([grey, grey, grey]);
  }
});
