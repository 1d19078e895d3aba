/**
 * Cutting the middle out of an image, and resizing as Pillow does it, bit for bit: across first, then down, each in fixed
 * point and rounded to a byte.
 */

import type { Pixels } from "../core/dataset.ts";
import { type Filter, type Taps, tapsOf } from "./resample.ts";

/** The square of the shorter side, in the middle. */
export function centreSquare(pixels: Pixels): Pixels {
  const side = Math.min(pixels.height, pixels.width);
  return centreCrop(pixels, side, side);
}

/** The middle of an image that is at least as large; what torchvision's `CenterCrop` leaves. */
export function centreCrop(pixels: Pixels, height: number, width: number): Pixels {
  if (pixels.height === height && pixels.width === width) return pixels;
  const { data, channels } = pixels;
  const [top, left] = [halfToEven(pixels.height - height), halfToEven(pixels.width - width)];
  const middle = new Uint8Array(height * width * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * pixels.width + left) * channels;
    middle.set(data.subarray(from, from + width * channels), y * width * channels);
  }
  return { data: middle, height, width, channels };
}

/** With the shorter side as given, and the other in proportion, rounded down as torchvision's `Resize` does. */
export function resizeShorter(pixels: Pixels, side: number): Pixels {
  const { height, width } = shorterResized(pixels, side);
  return resizeBilinear(pixels, height, width);
}

/** The size that `resizeShorter` leaves. */
export function shorterResized(
  { height, width }: Pick<Pixels, "height" | "width">,
  side: number,
): Pick<Pixels, "height" | "width"> {
  const longer = Math.floor((side * Math.max(height, width)) / Math.min(height, width));
  return height <= width ? { height: side, width: longer } : { height: longer, width: side };
}

/** With anti-aliasing when it shrinks. */
export function resizeBilinear(pixels: Pixels, height: number, width: number): Pixels {
  return resizeBy("triangle", pixels, height, width);
}

export function resizeBy(filter: Filter, pixels: Pixels, height: number, width: number): Pixels {
  const across = pixels.width === width ? pixels : resizeAcross(filter, pixels, width);
  return across.height === height ? across : resizeDown(filter, across, height);
}

/** Half of a whole number, rounded as Python rounds: 0.5 → 0, 1.5 → 2. */
export function halfToEven(twice: number): number {
  const half = Math.floor(twice / 2);
  return twice % 2 === 1 && half % 2 === 1 ? half + 1 : half;
}

/** Bits after the point: a byte times a weight leaves room for the sign in 32 bits. */
const precision = 22;
const one = 2 ** precision;

const tables = new WeakMap<Taps, Int32Array>();

function fixedPoint(taps: Taps): Int32Array {
  let weights = tables.get(taps);
  if (weights === undefined) {
    // Halves away from zero; some filters have weights below it.
    weights = Int32Array.from(
      taps.weights,
      (weight) => Math.sign(weight) * Math.floor(Math.abs(weight) * one + 0.5),
    );
    tables.set(taps, weights);
  }
  return weights;
}

function resizeAcross(filter: Filter, { data, height, width, channels }: Pixels, to: number): Pixels {
  const taps = tapsOf(filter, width, to);
  const weights = fixedPoint(taps);
  const resized = new Uint8ClampedArray(height * to * channels);
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * width * channels;
    for (let x = 0; x < to; x++) {
      const first = row + taps.start[x]! * channels;
      for (let channel = 0; channel < channels; channel++, at++) {
        let sum = one / 2;
        for (let k = 0, from = first + channel; k < taps.width; k++, from += channels) {
          sum += weights[x * taps.width + k]! * data[from]!;
        }
        resized[at] = sum >> precision;
      }
    }
  }
  return { data: new Uint8Array(resized.buffer), height, width: to, channels };
}

function resizeDown(filter: Filter, { data, height, width, channels }: Pixels, to: number): Pixels {
  const taps = tapsOf(filter, height, to);
  const weights = fixedPoint(taps);
  const stride = width * channels;
  const resized = new Uint8ClampedArray(to * stride);
  for (let y = 0, at = 0; y < to; y++) {
    const first = taps.start[y]! * stride;
    for (let x = 0; x < stride; x++, at++) {
      let sum = one / 2;
      for (let k = 0, from = first + x; k < taps.width; k++, from += stride) {
        sum += weights[y * taps.width + k]! * data[from]!;
      }
      resized[at] = sum >> precision;
    }
  }
  return { data: new Uint8Array(resized.buffer), height: to, width, channels };
}
