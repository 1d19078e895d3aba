import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { corrupt, strengths } from "./corruptions.ts";

const canvas = 128;
const object = { top: 40, left: 30, side: 40 };
const grey = () => new Uint8Array(3 * canvas * canvas).fill(127);
const random = (index = 0) => randomStream(3, "test").at(index);

/** The strength that the first draw of a stream gives. */
function strengthOf([low, high]: readonly [number, number], index: number): number {
  return low + (high - low) * random(index).uniform();
}

test("none leaves the image alone", () => {
  const pixels = grey();
  corrupt(pixels, canvas, "none", object, random());
  expect(pixels).toEqual(grey());
});

test("noise has the standard deviation that was drawn, and no bias", () => {
  for (const index of [0, 1, 2]) {
    const pixels = grey();
    corrupt(pixels, canvas, "noise", object, random(index));
    const mean = pixels.reduce((sum, v) => sum + v, 0) / pixels.length;
    const deviation = Math.sqrt(pixels.reduce((sum, v) => sum + (v - mean) ** 2, 0) / pixels.length);
    // 49,152 pixels: the standard error of the mean is about 0.1, of the deviation 0.3%; the table adds 1%.
    expect(Math.abs(mean - 127)).toBeLessThan(1);
    expect(deviation / strengthOf(strengths.noise, index)).toBeCloseTo(1, 1);
  }
});

test("blur spreads a point with the variance that was drawn, and keeps its sum", () => {
  for (const index of [0, 1, 2]) {
    const pixels = new Uint8Array(3 * canvas * canvas);
    // A bright square, whose edge tells the blur: the variance of the edge's slope is that of the kernel.
    for (let y = 32; y < 96; y++) pixels.fill(200, 3 * (y * canvas + 32), 3 * (y * canvas + 96));
    corrupt(pixels, canvas, "blur", object, random(index));
    const row = Array.from({ length: 64 }, (_, x) => pixels[3 * (64 * canvas + x)]!);
    const slope = row.slice(1).map((v, i) => (v - row[i]!) / 200);
    const centre = slope.reduce((sum, s, i) => sum + s * i, 0);
    const variance = slope.reduce((sum, s, i) => sum + s * (i - centre) ** 2, 0);
    const wanted = strengthOf(strengths.blur, index) ** 2;
    expect(slope.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
    // Rounding to whole grey levels moves the variance by a few per cent.
    expect(Math.abs(variance / wanted - 1)).toBeLessThan(0.06);
  }
});

test("occlusion is one square in front of the object", () => {
  for (let index = 0; index < 20; index++) {
    const pixels = grey();
    corrupt(pixels, canvas, "occlusion", object, random(index));
    const hidden = [...Array(canvas * canvas).keys()].filter((i) => pixels[3 * i] !== 127);
    const side = Math.round(strengthOf(strengths.occlusion, index) * object.side);
    // A patch of exactly the background's grey would not be seen; none of these is.
    expect(hidden).toHaveLength(side * side);
    for (const i of hidden) {
      const [y, x] = [Math.floor(i / canvas), i % canvas];
      expect(y).toBeGreaterThanOrEqual(object.top);
      expect(y).toBeLessThan(object.top + object.side);
      expect(x).toBeGreaterThanOrEqual(object.left);
      expect(x).toBeLessThan(object.left + object.side);
    }
  }
});

test("occlusion at the edge is cut off there", () => {
  const inside = { top: 44, left: 44, side: 40 };
  for (let index = 0; index < 20; index++) {
    const [whole, cut] = [grey(), grey()];
    corrupt(whole, canvas, "occlusion", inside, random(index));
    // The same draw, 56 pixels up and 60 to the right: what the canvas still holds of it, and nothing else.
    corrupt(cut, canvas, "occlusion", { top: -12, left: 104, side: 40 }, random(index));
    for (let y = 0; y < canvas; y++) {
      for (let x = 0; x < canvas; x++) {
        const [row, column] = [y + 56, x - 60];
        const expected = row < canvas && column >= 0 ? whole[3 * (row * canvas + column)] : 127;
        if (cut[3 * (y * canvas + x)] !== expected) expect([index, y, x]).toBe("as in the whole one");
      }
    }
    expect(cut.some((value) => value !== 127)).toBe(true);
  }
});
