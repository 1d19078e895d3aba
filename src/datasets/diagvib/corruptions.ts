/** Damage done to the finished image: noise, blur, JPEG compression, or something in front of the object. */

import type { Random } from "../../core/random.ts";
import type { Placement } from "./draw.ts";
import type { corruptionKinds } from "./factors.ts";
import { compressAsJpeg } from "./jpeg.ts";

export type CorruptionKind = (typeof corruptionKinds)[number];

/** How strong each is, drawn evenly between the two ends. */
export const strengths = {
  /** Standard deviation, in grey levels. */
  noise: [15, 35],
  /** Standard deviation of the Gaussian, in pixels of a canvas of 128. */
  blur: [1, 2],
  /** As libjpeg counts it, for a canvas of 128; smaller ones are spared, because blocks stay 8 pixels wide. */
  jpegQuality: [4, 15],
  /** Side of the square in front, as a share of the object's. */
  occlusion: [0.25, 0.4],
} as const;

export function corrupt(
  pixels: Uint8Array,
  canvas: number,
  kind: CorruptionKind,
  object: Placement,
  random: Random,
): void {
  const between = ([low, high]: readonly [number, number]) => low + (high - low) * random.uniform();
  switch (kind) {
    case "none":
      return;
    case "noise":
      addNoise(pixels, between(strengths.noise), random);
      return;
    case "blur":
      blur(pixels, canvas, (between(strengths.blur) * canvas) / 128);
      return;
    case "jpeg":
      compressAsJpeg(
        pixels,
        canvas,
        Math.min(95, Math.round((between(strengths.jpegQuality) * 128) / canvas)),
      );
      return;
    case "occlusion":
      occlude(pixels, canvas, object, between(strengths.occlusion), random);
      return;
    default:
      kind satisfies never;
  }
}

/** Standard normal deviates to draw from; one an entry is enough variety, and a look-up is all that a pixel costs. */
const deviates = new Float64Array(4096);
let deviatesReady = false;

function addNoise(pixels: Uint8Array, deviation: number, random: Random): void {
  if (!deviatesReady) fillDeviates();
  // xorshift32: one draw from the stream starts it, so that noise costs no cipher round a pixel.
  let state = random.uint32() | 1;
  for (let i = 0; i < pixels.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const value = pixels[i]! + deviation * deviates[(state >>> 9) & 4095]!;
    pixels[i] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
  }
}

/**
 * Sums of twelve evenly spread numbers less six, the classic approximation: exact arithmetic on every machine. Each
 * comes with its negative, so that the table has no mean of its own.
 */
function fillDeviates(): void {
  let state = 0x9e3779b9 | 0;
  for (let i = 0; i < deviates.length; i += 2) {
    let total = -6;
    for (let k = 0; k < 12; k++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      total += (state >>> 0) / 2 ** 32;
    }
    deviates[i] = total;
    deviates[i + 1] = -total;
  }
  deviatesReady = true;
}

/** Three box filters along each axis come within a few per cent of a Gaussian of the same variance. */
function blur(pixels: Uint8Array, canvas: number, deviation: number): void {
  const box = boxOfVariance((deviation * deviation) / 3);
  const lines = [0, 1].map(() => new Float64Array(canvas + 2 * (box.radius + 1)));
  for (let line = 0; line < canvas; line++)
    for (let c = 0; c < 3; c++) blurLine(pixels, 3 * line * canvas + c, 3, canvas, box, lines as Lines);
  for (let line = 0; line < canvas; line++)
    for (let c = 0; c < 3; c++) blurLine(pixels, 3 * line + c, 3 * canvas, canvas, box, lines as Lines);
}

type Lines = [Float64Array, Float64Array];

/** One line of pixels that lie `step` apart, through three boxes with fractional ends; the edges repeat. */
function blurLine(
  pixels: Uint8Array,
  start: number,
  step: number,
  length: number,
  { radius, edge }: CorruptedBox,
  lines: Lines,
): void {
  const margin = radius + 1;
  const weight = 1 / (2 * radius + 1 + 2 * edge);
  let [from, to] = lines;
  for (let i = 0, at = start; i < length; i++, at += step) from[margin + i] = pixels[at]!;
  for (let pass = 0; pass < 3; pass++) {
    from.fill(from[margin]!, 0, margin);
    from.fill(from[margin + length - 1]!, margin + length);
    let sum = 0;
    for (let k = 1; k <= 2 * radius + 1; k++) sum += from[k]!;
    for (let i = 0; i < length; i++) {
      to[margin + i] = (sum + edge * (from[i]! + from[i + 2 * margin]!)) * weight;
      sum += from[i + 2 * margin]! - from[i + 1]!;
    }
    [from, to] = [to, from];
  }
  for (let i = 0, at = start; i < length; i++, at += step) pixels[at] = from[margin + i]! + 0.5;
}

interface CorruptedBox {
  radius: number;
  edge: number;
}

/** Whole half-width and the weight of one more pixel at each end. */
function boxOfVariance(variance: number): CorruptedBox {
  let radius = 0;
  while (((radius + 1) * (radius + 2)) / 3 <= variance) radius++;
  // variance · (2r + 1 + 2e) = r(r + 1)(2r + 1)/3 + 2e(r + 1)², solved for e.
  const inner = (radius * (radius + 1) * (2 * radius + 1)) / 3;
  const edge = (variance * (2 * radius + 1) - inner) / (2 * ((radius + 1) ** 2 - variance));
  return { radius, edge };
}

/** A square of one muted grey, its centre anywhere in the middle half of the object's box. */
function occlude(
  pixels: Uint8Array,
  canvas: number,
  { top, left, side }: Placement,
  share: number,
  random: Random,
): void {
  const patch = Math.max(1, Math.round(share * side));
  const start = (from: number) => Math.round(from + side * (0.25 + 0.5 * random.uniform()) - patch / 2);
  const [firstRow, firstColumn] = [start(top), start(left)];
  const value = 64 + Math.floor(128 * random.uniform());
  for (let y = Math.max(0, firstRow); y < Math.min(canvas, firstRow + patch); y++) {
    const row = 3 * y * canvas;
    const end = Math.min(canvas, firstColumn + patch);
    pixels.fill(value, row + 3 * Math.max(0, firstColumn), Math.max(row, row + 3 * end));
  }
}
