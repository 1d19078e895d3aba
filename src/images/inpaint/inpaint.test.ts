/** Inpainting: the holes by hand and against OpenCV's own dilation, the filling on images whose answer is known. */

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import type { Pixels } from "../../core/dataset.ts";
import { dilate, largestFreeBox, maskOfBoxes } from "./holes.ts";
import { createInpaint, inpaintMethods } from "./index.ts";

const [width, height] = [48, 40];
const box = { left: 14, top: 12, width: 12, height: 10 };
const mask = maskOfBoxes([box], width, height);

test("a box of 12 × 10 widened by a kernel of 15 is 26 × 24", () => {
  const wide = dilate(mask, width, 15);
  const expected = maskOfBoxes([{ left: 7, top: 5, width: 26, height: 24 }], width, height);
  expect(wide).toEqual(expected);
  expect(dilate(mask, width, 1)).toEqual(mask);
});

test("dilation is OpenCV's, at the borders too", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: the test uses more of the library than the program declares.
  const library = await (createRequire(import.meta.url)("@techstark/opencv-js") as PromiseLike<any>);
  // Scattered pixels, some in corners and on edges.
  const scattered = Uint8Array.from(mask, (_, i) => ((i * 7919) % 241 < 2 || i === 0 ? 255 : 0));
  for (const side of [3, 9, 15]) {
    const [from, to] = [new library.Mat(height, width, library.CV_8UC1), new library.Mat()];
    const kernel = library.Mat.ones(side, side, library.CV_8U);
    from.data.set(scattered);
    library.dilate(from, to, kernel);
    expect(dilate(scattered, width, side), `kernel of ${side}`).toEqual(to.data.slice());
    for (const one of [from, to, kernel]) one.delete();
  }
});

test("the largest free rectangle of one box is the largest of the four strips beside it", () => {
  // Above 48 × 12, below 48 × 18 = 864, left 14 × 40 = 560, right 22 × 40 = 880.
  expect(largestFreeBox(mask, width)).toEqual({ left: 26, top: 0, width: 22, height: 40 });
  expect(largestFreeBox(new Uint8Array(12), 4)).toEqual({ left: 0, top: 0, width: 4, height: 3 });
  expect(largestFreeBox(new Uint8Array(12).fill(255), 4)).toBeUndefined();
});

test.each(inpaintMethods)(
  "%s fills one colour with that colour, and leaves what is outside alone",
  async (method) => {
    const inpaint = await createInpaint({ method });
    const wide = dilate(mask, width, 15);
    const spoilt = paint((x, y) => (mask[y * width + x] === 0 ? [120, 40, 200] : [255, 255, 0]));
    const plain = paint(() => [120, 40, 200]);
    // Telea's method builds each pixel on rounded ones: over half of the hole's 24 rows it drifts by a few levels.
    expect(furthest(inpaint(spoilt, mask).data, plain.data)).toBeLessThanOrEqual(method === "telea" ? 4 : 0);

    const varied = paint((x, y) => [3 * x, 5 * y, (x * y) % 256]);
    const filled = inpaint(varied, mask).data;
    const outside = (data: Uint8Array) => data.filter((_, i) => wide[Math.floor(i / 3)] === 0);
    expect(outside(filled)).toEqual(outside(varied.data));
    expect(filled).not.toEqual(varied.data);
  },
);

test.each(["telea", "navier-stokes"] as const)("%s goes on with a slope", async (method) => {
  const inpaint = await createInpaint({ method, dilation: 1 });
  const slope = paint((x) => [4 * x, 4 * x, 4 * x]);
  const filled = inpaint(slope, mask).data;
  const errors = [...filled.keys()]
    .filter((i) => mask[Math.floor(i / 3)] !== 0)
    .map((i) => Math.abs(filled[i]! - slope.data[i]!));
  // Filled with the mean alone, twelve columns of 4 levels each would be off by 4 · (0.5 + … + 5.5) / 6 = 12 levels.
  expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(8);
});

test("tiles repeat the rectangle beside the hole, in step with it", async () => {
  const inpaint = await createInpaint({ method: "tiled", dilation: 1 });
  const filled = inpaint(
    paint((x, y) => [x, y, 0]),
    mask,
  ).data;
  // Columns 26 … 47 are the rectangle, 22 wide: column 14 is column 36, column 25 is column 47; rows stay.
  const at = (x: number, y: number) => [...filled.subarray(3 * (y * width + x), 3 * (y * width + x) + 2)];
  expect([at(14, 12), at(25, 12), at(14, 21), at(13, 12)]).toEqual([
    [36, 12],
    [47, 12],
    [36, 21],
    [13, 12],
  ]);
});

test("an object that covers everything is refused", async () => {
  const inpaint = await createInpaint({ method: "tiled" });
  const whole = maskOfBoxes([{ left: 7, top: 7, width: width - 14, height: height - 14 }], width, height);
  expect(() =>
    inpaint(
      paint(() => [1, 2, 3]),
      whole,
    ),
  ).toThrow("covers the whole image");
});

function paint(colour: (x: number, y: number) => [number, number, number]): Pixels {
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) data.set(colour(x, y), 3 * (y * width + x));
  return { data, width, height, channels: 3 };
}

function furthest(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);
}
