import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mnist } from "../../sources/mnist.ts";
import { paletteOf } from "./palette.ts";
import { canvasSizes, createRenderer, type Factors } from "./renderer.ts";

const { image } = await mnist("train");
const palette = paletteOf("paper");
const cells = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const plain: Factors = {
  backgroundColor: 4,
  digitColor: 1,
  digitPosition: 4,
  distractorShape: 6,
  distractorColor: 3,
  texture: 4,
  textureColor: 7,
};

/** The pixels in which two images differ, as positions of rows × columns. */
function difference(a: Uint8Array, b: Uint8Array): number[] {
  const differs = (pixel: number) =>
    [0, 1, 2].some((channel) => a[3 * pixel + channel] !== b[3 * pixel + channel]);
  return Array.from({ length: a.length / 3 }, (_, pixel) => pixel).filter(differs);
}

/** The digit by the book: every target pixel is the mean over the part of the source that it covers. */
function areaMask(grey: Uint8Array, size: number, threshold: number): number[] {
  const overlap = (to: number, from: number) =>
    Math.max(0, Math.min(((to + 1) * 28) / size, from + 1) - Math.max((to * 28) / size, from));
  const ink: number[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let sum = 0;
      for (let v = 0; v < 28; v++)
        for (let u = 0; u < 28; u++) sum += overlap(y, v) * overlap(x, u) * grey[28 * v + u]!;
      // Rounded because a third is no binary fraction; true means are at least 1/784 apart.
      if (Number(((sum * size ** 2) / 784).toFixed(6)) > threshold) ink.push(y * size + x);
    }
  }
  return ink;
}

/** Images of the published contact sheet: its second, twelfth and twenty-first, which these factors repeat. */
test.each([
  [1, [0, 0, 0, 3, 3, 3, 0], "14c3b35b51994a00"],
  [11, [6, 4, 5, 7, 5, 5, 5], "ccdf4f361def0e4b"],
  [20, [4, 4, 4, 4, 4, 4, 4], "a7e284fb1d49d74c"],
] as const)(
  "training digit %i renders to the bytes that were compared with the published image",
  (digit, f, hash) => {
    const data = createRenderer(96, palette)(image(digit), {
      backgroundColor: f[0],
      digitColor: f[1],
      digitPosition: f[2],
      distractorShape: f[3],
      distractorColor: f[4],
      texture: f[5],
      textureColor: f[6],
    });
    expect(createHash("sha256").update(data).digest("hex").slice(0, 16)).toBe(hash);
  },
);

describe.each(canvasSizes.map((canvas) => [canvas] as const))("on a canvas of %i", (canvas) => {
  const render = createRenderer(canvas, palette);
  const cellSize = { 96: 32, 64: 21, 48: 16 }[canvas];
  const threshold = { 96: 127, 64: 115, 48: 105 }[canvas];
  const origin = (cell: number) => [
    Math.round(((cell % 3) * canvas) / 3),
    Math.round((Math.floor(cell / 3) * canvas) / 3),
  ];
  /** Where the digit is, found by changing its colour alone; in pixels of its cell. */
  const digitPixels = (grey: Uint8Array, factors: Factors) => {
    const [left, top] = origin(factors.digitPosition) as [number, number];
    return difference(render(grey, factors), render(grey, { ...factors, digitColor: 2 })).map((pixel) => {
      const [x, y] = [(pixel % canvas) - left, Math.floor(pixel / canvas) - top];
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(x, y)).toBeLessThan(cellSize);
      return y * cellSize + x;
    });
  };

  test("the digit is the area mean of its grey values above the threshold", () => {
    for (const digit of [0, 7, 17, 25, 31]) {
      expect(digitPixels(image(digit), plain)).toEqual(areaMask(image(digit), cellSize, threshold));
    }
  });

  test("another cell moves the digit by whole cells and changes no pixel of it", () => {
    const there = digitPixels(image(3), plain);
    expect(there.length).toBeGreaterThan(10);
    for (const digitPosition of cells)
      expect(digitPixels(image(3), { ...plain, digitPosition })).toEqual(there);
  });

  test("the four colours share out the canvas: each changes pixels of its own, together all", () => {
    const before = render(image(5), plain);
    const changes = (
      [
        ["backgroundColor", 0],
        ["digitColor", 0],
        ["distractorColor", 0],
        ["textureColor", 0],
      ] as const
    ).map(([factor, value]) => difference(before, render(image(5), { ...plain, [factor]: value })));
    for (const pixels of changes) expect(pixels.length).toBeGreaterThan(10);
    const all = changes.flat();
    expect(all).toHaveLength(canvas ** 2);
    expect(new Set(all).size).toBe(canvas ** 2);
  });

  test("every factor keeps to its own ground", () => {
    const before = render(image(5), plain);
    const inCell = (pixel: number, cell: number) => {
      const [left, top] = origin(cell) as [number, number];
      const [x, y] = [(pixel % canvas) - left, Math.floor(pixel / canvas) - top];
      return x >= 0 && y >= 0 && x < cellSize && y < cellSize;
    };
    const shapes = difference(before, render(image(5), { ...plain, distractorShape: 3 }));
    expect(shapes.every((pixel) => !inCell(pixel, plain.digitPosition))).toBe(true);
    // Every other cell has its distractor.
    for (const cell of cells.filter((c) => c !== plain.digitPosition))
      expect(shapes.some((pixel) => inCell(pixel, cell))).toBe(true);
    // Texture lies over the distractors and under the digit.
    const digit = difference(before, render(image(5), { ...plain, digitColor: 2 }));
    const texture = difference(before, render(image(5), { ...plain, texture: 2 }));
    expect(texture.some((pixel) => digit.includes(pixel))).toBe(false);
    const distractors = difference(before, render(image(5), { ...plain, distractorColor: 0 }));
    expect(texture.some((pixel) => distractors.includes(pixel))).toBe(true);
    const background = difference(before, render(image(5), { ...plain, backgroundColor: 2 }));
    expect(background.some((pixel) => digit.includes(pixel) || distractors.includes(pixel))).toBe(false);
  });
});

test("colours are those of the four lists", () => {
  const data = createRenderer(96, palette)(image(0), plain);
  const used = new Set(Array.from({ length: 96 * 96 }, (_, i) => data.subarray(3 * i, 3 * i + 3).join()));
  // Background of class 4, digit of class 1, distractor of class 3 (digit of class 6), texture of class 7.
  expect(used).toEqual(new Set(["0,0,63", "0,255,0", "0,255,128", "0,255,127"]));
});

test("rendering leaves nothing behind for the next image", () => {
  const render = createRenderer(96, palette);
  const first = render(image(0), plain);
  const copy = first.slice();
  render(image(1), { ...plain, digitPosition: 0, distractorShape: 3, texture: 1 });
  expect(first).toEqual(copy);
  expect(render(image(0), plain)).toEqual(copy);
});
