/** Corruptions against NumPy, SciPy and Pillow (test/references/numpy_corruptions.py), and what is random by its moments. */

import { expect, test } from "vitest";
import { hashUniform } from "../../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { randomStream } from "../../core/random.ts";
import { blur, pixelate } from "./blur.ts";
import { fog } from "./fog.ts";
import { brightness, contrastLoss } from "./light.ts";
import { noise } from "./noise.ts";
import { type Severity, severities } from "./severity.ts";

interface Case {
  name: "contrast" | "brightness" | "blur" | "pixelate";
  severity: Severity;
  pixels: string;
}

const shape = { height: 28, width: 35, channels: 3 };
const size = shape.height * shape.width * shape.channels;
const image = {
  ...shape,
  data: Uint8Array.from(hashUniform(size, 7), (value) => Math.floor(value * 256)),
};
const made = { contrast: contrastLoss, brightness, blur, pixelate };

test.each(storedReference<Case[]>("numpy_corruptions"))("$name of severity $severity", (one) => {
  const expected = Buffer.from(one.pixels, "base64");
  const { data } = made[one.name](image, one.severity);
  expect(data).toHaveLength(expected.length);
  // Values are cut off to bytes: where one is whole but for rounding, it may be a grey level off; Pillow rounds between both directions.
  const most = Math.max(...Array.from(data, (value, at) => Math.abs(value - expected[at]!)));
  expect(most).toBeLessThanOrEqual(1);
  const off = Array.from(data).filter((value, at) => value !== expected[at]).length;
  expect(off / size).toBeLessThan(one.name === "pixelate" ? 0.4 : 0.01);
});

test.each(severities)("noise of severity %s has the deviation that it should", (severity) => {
  const grey = { height: 60, width: 60, channels: 1, data: new Uint8Array(3600).fill(128) };
  const { data } = noise(grey, severity, randomStream(0, "noise").at(severity));
  // A normal deviation is a median distance of 0.6745 deviations, which clipping at black and white leaves alone.
  const distances = Array.from(data, (value) => Math.abs(value + 0.5 - 128)).sort((a, b) => a - b);
  const expected = 0.6745 * 255 * [0.08, 0.12, 0.18, 0.26, 0.38][severity - 1]!;
  expect(distances[1800]! / expected).toBeGreaterThan(0.93);
  expect(distances[1800]! / expected).toBeLessThan(1.07);
});

test("fog makes a dark image lighter and a contrasted one flatter, the more the stronger", () => {
  const striped = { ...shape, data: Uint8Array.from({ length: size }, (_, at) => (at % 2 === 0 ? 20 : 220)) };
  const spread = (severity: Severity) => {
    const { data } = fog(striped, severity, randomStream(0, "fog").at(0));
    let total = 0;
    for (let at = 0; at + 1 < size; at += 2) total += data[at + 1]! - data[at]!;
    return total / (size / 2);
  };
  expect(spread(1)).toBeLessThan(120);
  expect(spread(5)).toBeLessThan(spread(1));
  expect(spread(5)).toBeGreaterThan(20);
});
