import sharp from "sharp";
import { expect, test } from "vitest";
import { compressAsJpeg } from "./jpeg.ts";

/** Smooth colours with a hard-edged square in them. */
function scene(canvas: number): Uint8Array {
  const pixels = new Uint8Array(3 * canvas * canvas);
  for (let i = 0; i < canvas * canvas; i++) {
    const [y, x] = [Math.floor(i / canvas), i % canvas];
    const inside = y > 20 && y < 45 && x > 30 && x < 70;
    pixels.set(inside ? [230, 40, 60] : [90 + x / 2, 127, 180 - y / 2], 3 * i);
  }
  return pixels;
}

function decibels(a: Uint8Array, b: Uint8Array): number {
  const error = a.reduce((sum, v, i) => sum + (v - b[i]!) ** 2, 0) / a.length;
  return 10 * Math.log10(255 ** 2 / error);
}

// libjpeg (within sharp) is the reference: what it loses must be what ours loses, far closer than either is to the original.
test.each([
  [96, 5],
  [128, 12],
  [128, 60],
  [72, 90],
])("canvas %i at quality %i looks as libjpeg makes it", async (canvas, quality) => {
  const original = scene(canvas);
  const raw = { raw: { width: canvas, height: canvas, channels: 3 as const } };
  const file = await sharp(original, raw).jpeg({ quality, chromaSubsampling: "4:2:0" }).toBuffer();
  const reference = new Uint8Array(await sharp(file).raw().toBuffer());
  const ours = Uint8Array.from(original);
  compressAsJpeg(ours, canvas, quality);
  const [between, lost] = [decibels(ours, reference), decibels(original, reference)];
  expect(between).toBeGreaterThan(lost + 6);
  expect(between).toBeGreaterThan(38);
});
