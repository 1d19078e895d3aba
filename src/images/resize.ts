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

/** A part of an image. */
export interface Window {
  top: number;
  left: number;
  height: number;
  width: number;
}

/** `window` is a part of what comes out: only that is computed. */
export function resizeBy(
  filter: Filter,
  pixels: Pixels,
  height: number,
  width: number,
  window: Window = { top: 0, left: 0, height, width },
): Pixels {
  if (pixels.width === width && pixels.height === height && isWhole(window, pixels)) return pixels;
  const down = tapsOf(filter, pixels.height, height);
  const first = down.start[window.top]!;
  const last = down.start[window.top + window.height - 1]! + down.width;
  const isAsHigh = pixels.height === height;
  const rows = isAsHigh ? { first: window.top, count: window.height } : { first, count: last - first };
  const across = resizeAcross(filter, pixels, width, rows, window);
  return isAsHigh ? across : resizeDown(down, across, first, window);
}

function isWhole(window: Window, { height, width }: Pixels): boolean {
  return window.height === height && window.width === width;
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

/** Rows of the image, and columns of what comes out. */
function resizeAcross(
  filter: Filter,
  { data, width, channels }: Pixels,
  to: number,
  rows: { first: number; count: number },
  window: Pick<Window, "left" | "width">,
): Pixels {
  const shape = { height: rows.count, width: window.width, channels };
  const resized = new Uint8ClampedArray(rows.count * window.width * channels);
  if (width === to) {
    for (let y = 0; y < rows.count; y++) {
      const from = ((rows.first + y) * width + window.left) * channels;
      resized.set(data.subarray(from, from + window.width * channels), y * window.width * channels);
    }
    return { data: new Uint8Array(resized.buffer), ...shape };
  }
  const taps = tapsOf(filter, width, to);
  const weights = fixedPoint(taps);
  for (let y = 0, at = 0; y < rows.count; y++) {
    const row = (rows.first + y) * width * channels;
    for (let x = window.left; x < window.left + window.width; x++) {
      const first = row + taps.start[x]! * channels;
      const ends = (x + 1) * taps.width;
      if (channels === 3) {
        // As below, with each weight read once.
        let [red, green, blue] = [one / 2, one / 2, one / 2];
        for (let k = x * taps.width, from = first; k < ends; k++, from += 3) {
          const weight = weights[k]!;
          red += Math.imul(weight, data[from]!);
          green += Math.imul(weight, data[from + 1]!);
          blue += Math.imul(weight, data[from + 2]!);
        }
        resized[at++] = red >> precision;
        resized[at++] = green >> precision;
        resized[at++] = blue >> precision;
        continue;
      }
      for (let channel = 0; channel < channels; channel++) {
        let sum = one / 2;
        for (let k = x * taps.width, from = first + channel; k < ends; k++, from += channels)
          sum += weights[k]! * data[from]!;
        resized[at++] = sum >> precision;
      }
    }
  }
  return { data: new Uint8Array(resized.buffer), ...shape };
}

/** Of an image whose first row is row `first` of what is resized. */
function resizeDown(
  taps: Taps,
  { data, width, channels }: Pixels,
  first: number,
  { top, height }: Pick<Window, "top" | "height">,
): Pixels {
  const weights = fixedPoint(taps);
  const stride = width * channels;
  const resized = new Uint8ClampedArray(height * stride);
  const sums = new Int32Array(stride);
  for (let y = 0; y < height; y++) {
    sums.fill(one / 2);
    for (let k = 0; k < taps.width; k++) {
      const weight = weights[(top + y) * taps.width + k]!;
      if (weight === 0) continue;
      const from = (taps.start[top + y]! + k - first) * stride;
      for (let x = 0; x < stride; x++) sums[x]! += weight * data[from + x]!;
    }
    for (let x = 0, at = y * stride; x < stride; x++, at++) resized[at] = sums[x]! >> precision;
  }
  return { data: new Uint8Array(resized.buffer), height, width, channels };
}
