import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { storedReference } from "../../test/helpers/reference.ts";
import type { Pixels } from "../core/dataset.ts";
import { centreCrop, centreSquare, resizeBilinear, resizeBy, resizeShorter } from "./resize.ts";

/** What Pillow made of the same picture, by test/references/pil_resize.py. */
const cases =
  storedReference<
    {
      height: number;
      width: number;
      to: number;
      cut: string;
      corner: number[];
      middle: number[];
      sha256: string;
    }[]
  >("pil_resize");

/** The script's picture by formula. */
function picture(height: number, width: number): Pixels {
  const data = new Uint8Array(height * width * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const check = ((Math.floor(x / 9) + Math.floor(y / 7)) % 2) * 90;
      for (let c = 0; c < 3; c++, at++) data[at] = x * x * 7 + y * y * 13 + x * y * 5 + c * 101 + check;
    }
  }
  return { data, height, width, channels: 3 };
}

const digest = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

test.each(cases)("$width × $height to $to is Pillow's, bit for bit", (expected) => {
  const { height, width, to } = expected;
  const square = centreSquare(picture(height, width));
  expect(square.height).toBe(Math.min(height, width));
  expect(digest(square.data)).toBe(expected.cut);
  const resized = resizeBilinear(square, to, to);
  const pixel = (y: number, x: number) => [...resized.data.subarray(3 * (y * to + x), 3 * (y * to + x) + 3)];
  expect([0, 1].flatMap((y) => [0, 1].flatMap((x) => pixel(y, x)))).toEqual(expected.corner);
  expect(pixel(to >> 1, to >> 1)).toEqual(expected.middle);
  expect(digest(resized.data)).toBe(expected.sha256);
});

test("doubling by hand: ends stay, between them quarters and three quarters", () => {
  const row: Pixels = { data: Uint8Array.of(0, 100), height: 1, width: 2, channels: 1 };
  expect([...resizeBilinear(row, 1, 4).data]).toEqual([0, 25, 75, 100]);
  const column: Pixels = { ...row, height: 2, width: 1 };
  expect([...resizeBilinear(column, 4, 1).data]).toEqual([0, 25, 75, 100]);
});

test.each([
  [60, 80, 50, 50],
  [60, 80, 60, 100],
  [60, 80, 40, 80],
])("of %i × %i to %i × %i a part is what is cut out of the whole", (height, width, rows, columns) => {
  const window = { top: 3, left: 7, height: 30, width: 40 };
  for (const filter of ["triangle", "lanczos"] as const)
    for (const channels of [1, 3]) {
      const image = {
        data: picture(height, width).data.slice(0, height * width * channels),
        height,
        width,
        channels,
      };
      const whole = resizeBy(filter, image, rows, columns);
      const cut = Array.from({ length: window.height }, (_, y) => {
        const from = ((window.top + y) * columns + window.left) * channels;
        return [...whole.data.subarray(from, from + window.width * channels)];
      });
      const part = resizeBy(filter, image, rows, columns, window);
      expect(part).toMatchObject({ height: 30, width: 40, channels });
      expect([...part.data]).toEqual(cut.flat());
    }
});

test("the shorter side is resized and the middle cut out where torchvision does it", () => {
  // Resize(256): 256 · 410 / 300 = 349.87 → 349. CenterCrop(224): (256 − 224) / 2 = 16; (349 − 224) / 2 = 62.5 → 62.
  const wide = { data: new Uint8Array(300 * 410), height: 300, width: 410, channels: 1 };
  expect(resizeShorter(wide, 256)).toMatchObject({ height: 256, width: 349 });
  expect(resizeShorter({ ...wide, height: 410, width: 300 }, 256)).toMatchObject({ height: 349, width: 256 });
  const columns = Uint8Array.from({ length: 256 * 349 }, (_, at) => (at % 349) - 62);
  const rows = Uint8Array.from({ length: 256 * 349 }, (_, at) => Math.floor(at / 349) - 16);
  for (const data of [columns, rows]) {
    const middle = centreCrop({ data, height: 256, width: 349, channels: 1 }, 224, 224);
    expect([middle.data[0], middle.data.at(-1)]).toEqual([0, 223]);
  }
});
