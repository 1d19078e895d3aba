/** AugMix's changes against Pillow's: test/references/pil_augmix.py made the images. */

import { expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import { simpleChanges } from "./simple-changes.ts";

interface Case {
  image: "noise" | "slope";
  level: number;
  sign: 1 | -1;
  name: string;
  pixels: string;
}

const cases = storedReference<Case[]>("pil_augmix");
const shape = { height: 20, width: 24, channels: 3 };
const size = shape.height * shape.width * shape.channels;
const images = {
  noise: Uint8Array.from(hashUniform(size, 5), (value) => Math.floor(value * 200 + 20)),
  slope: Uint8Array.from({ length: size }, (_, i) => {
    const pixel = Math.floor(i / 3);
    return Math.floor((Math.floor(pixel / shape.width) + (pixel % shape.width)) / 4) * 20 + 3;
  }),
};

test("there are nine, and Pillow made each of them", () => {
  expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(simpleChanges.map(({ name }) => name)));
  expect(simpleChanges).toHaveLength(9);
});

test.each(cases)("$name of $image at level $level", ({ image, level, sign, name, pixels }) => {
  const change = simpleChanges.find((one) => one.name === name)!;
  const given = { ...shape, data: Uint8Array.from(images[image]) };
  const found = change.make(given, level, sign).data;
  const expected = Buffer.from(pixels, "base64");
  expect(given.data).toEqual(images[image]);
  expect(found).toHaveLength(expected.length);
  // Pillow moves pixels in fixed-point or doubles; rounding may differ by a grey level.
  const most = /rotate|shear|translate/.test(name) ? 1 : 0;
  expect(
    found.reduce((worst, value, i) => Math.max(worst, Math.abs(value - expected[i]!)), 0),
  ).toBeLessThanOrEqual(most);
});
