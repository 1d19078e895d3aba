import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { drawObject, type ObjectFactors, placementOf, rgbOf } from "./draw.ts";
import { objectMask, objectSide } from "./object.ts";

const canvas = 128;

/** A plus sign of grey 255 on a 28×28 field: 20 wide and 20 high, its bars 6 thick. */
const plus = new Uint8Array(28 * 28);
for (let i = 4; i < 24; i++) for (let j = 11; j < 17; j++) plus[i * 28 + j] = plus[j * 28 + i] = 255;

/** Stripes, so that no row equals its neighbour. */
const stripes = Uint8Array.from({ length: 256 * 256 }, (_, i) => ((i >> 8) * 37 + (i & 255) * 11) & 255);

const factors: ObjectFactors = {
  row: 0.5,
  column: 0.5,
  hue: 0,
  lightness: [0.2, 0.6],
  scale: 1,
  object: objectMask(plus, 28, 28),
  texture: { grey: stripes, width: 256, top: 10, left: 20 },
};

function draw(changes: Partial<ObjectFactors> = {}): Uint8Array {
  const pixels = new Uint8Array(3 * canvas * canvas).fill(127);
  drawObject(pixels, canvas, { ...factors, ...changes });
  return pixels;
}

/** Where and how large the object is, from pixels that are not the background's grey. */
function measure(pixels: Uint8Array): { area: number; row: number; column: number } {
  let [area, row, column] = [0, 0, 0];
  for (let i = 0; i < canvas * canvas; i++) {
    if (pixels[3 * i] === 127 && pixels[3 * i + 1] === 127 && pixels[3 * i + 2] === 127) continue;
    area++;
    row += Math.floor(i / canvas);
    column += i % canvas;
  }
  return { area, row: row / area, column: column / area };
}

const changed = (a: Uint8Array, b: Uint8Array) =>
  Array.from({ length: canvas * canvas }, (_, i) => i).filter(
    (i) => a[3 * i] !== b[3 * i] || a[3 * i + 1] !== b[3 * i + 1] || a[3 * i + 2] !== b[3 * i + 2],
  );

test("a digit's longest side becomes 28, centred on 40, and its mask is hard", () => {
  const { mask, box } = factors.object;
  expect(box).toEqual({ top: 6, bottom: 34, left: 6, right: 34 });
  expect(new Set(mask)).toEqual(new Set([0, 1]));
  // 20 → 28 is a factor of 1.4: the bars of 6 become 8.4 wide, so 8; 28·8·2 − 8·8 pixels in all.
  expect(mask.reduce((sum, v) => sum + v, 0)).toBe(28 * 8 * 2 - 8 * 8);
});

test("given factors give the same picture for ever", () => {
  const digest = (changes: Partial<ObjectFactors>) =>
    createHash("sha256").update(draw(changes)).digest("hex").slice(0, 16);
  expect({
    plain: digest({}),
    hue: digest({ hue: 130 }),
    lightness: digest({ lightness: [0.02, 0.4] }),
    large: digest({ scale: 1.42 }),
    small: digest({ scale: 0.71 }),
    corner: digest({ row: 1 / 7, column: 6 / 7 }),
  }).toMatchInlineSnapshot(`
    {
      "corner": "886eee2d6354eb74",
      "hue": "531a7341875b7b85",
      "large": "829def7a8ca914df",
      "lightness": "4c22a2f0b8a2f0b5",
      "plain": "60bad77bce3e0faa",
      "small": "1ccde2408ede3530",
    }
  `);
});

test("colours mix by the texture: (dark · t + bright · (255 − t)) / 255", () => {
  const [dark, bright] = [rgbOf(0, 0.2), rgbOf(0, 0.6)];
  // Red of saturation 1: lightness 0.2 is (0.4, 0, 0), lightness 0.6 is (1, 0.2, 0.2).
  expect(dark.map(Math.round)).toEqual([102, 0, 0]);
  expect(bright.map(Math.round)).toEqual([255, 51, 51]);
  const pixels = draw();
  const { top, left } = placementOf(factors, canvas);
  expect({ top, left }).toEqual({ top: 44, left: 44 });
  for (const [row, column] of [
    [20, 20],
    [8, 20],
    [20, 31],
  ] as const) {
    expect(factors.object.mask[row * objectSide + column]).toBe(1);
    const t = stripes[(10 + row) * 256 + 20 + column]!;
    const at = 3 * ((top + row) * canvas + left + column);
    for (let c = 0; c < 3; c++)
      expect(pixels[at + c]).toBe(Math.round((dark[c]! * t + bright[c]! * (255 - t)) / 255));
  }
});

test("hue, lightness and texture change colours and no pixel outside the object", () => {
  const base = draw();
  const { area } = measure(base);
  for (const change of [
    { hue: 120 },
    { lightness: [0.05, 0.4] as const },
    { texture: { ...factors.texture, top: 90 } },
  ]) {
    const other = draw(change);
    expect(measure(other).area).toBe(area);
    expect(changed(base, other).length).toBeGreaterThan(area / 2);
    expect(changed(base, other).length).toBeLessThanOrEqual(area);
  }
});

test("position moves the object's centre as asked, and nothing else", () => {
  for (const [row, column] of [
    [1 / 7, 1 / 7],
    [0.5, 0.25],
    [6 / 7, 0.6],
  ] as const) {
    const { area, ...centre } = measure(draw({ row, column }));
    // Whole pixels, rounded down: half a pixel below what is asked, on average.
    expect(Math.abs(centre.row - (127 * row - 0.25))).toBeLessThan(0.76);
    expect(Math.abs(centre.column - (127 * column - 0.25))).toBeLessThan(0.76);
    if (row > 0.2) expect(area).toBe(measure(draw()).area);
  }
});

test("scale changes the area by its square", () => {
  const covered = (pixels: Uint8Array) => {
    // On black, blue of lightness ½ gives the mask itself, soft edges included.
    let sum = 0;
    for (let i = 2; i < pixels.length; i += 3) sum += pixels[i]! / 255;
    return sum;
  };
  const on = (scale: number) => {
    const pixels = new Uint8Array(3 * canvas * canvas);
    drawObject(pixels, canvas, { ...factors, scale, hue: 240, lightness: [0.5, 0.5] });
    return covered(pixels);
  };
  for (const scale of [0.7, 0.85, 1.2, 1.4]) {
    // The object's side is a whole number of pixels.
    const whole = Math.round(40 * scale) / 40;
    // Which pixels the kernel's samples fall on makes about a per cent.
    expect(Math.abs(on(scale) / on(1) / (whole * whole) - 1)).toBeLessThan(0.02);
  }
});

test("what lies beyond the canvas is cut off, and nothing wraps round", () => {
  // The object at the middle, and the same one moved out: the canvas holds the overlap of the two.
  // A quarter of a pixel from where rounding down would change, whatever the last bits.
  const at = (pixels: number) => 0.5 + (pixels + 0.25) / 127;
  const middle = draw({ scale: 1.4, row: at(0), column: at(0) });
  for (const [down, right] of [
    [-56, -50],
    [57, 0],
    [-10, 60],
  ] as const) {
    const moved = draw({ scale: 1.4, row: at(down), column: at(right) });
    let wrong = 0;
    for (let y = 0; y < canvas; y++) {
      for (let x = 0; x < canvas; x++) {
        const [row, column] = [y - down, x - right];
        const inside = row >= 0 && row < canvas && column >= 0 && column < canvas;
        const expected = inside ? middle[3 * (row * canvas + column)] : 127;
        if (moved[3 * (y * canvas + x)] !== expected) wrong++;
      }
    }
    expect(wrong).toBe(0);
  }
  expect(measure(draw({ row: -2 })).area).toBe(0);
});
