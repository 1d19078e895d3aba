/** What lies behind the object: the paper's grey, and further kinds for studies in which the background varies. */

import type { Random } from "../../core/random.ts";
import { type Rgb, rgbOf, type TextureCrop } from "./draw.ts";
import type { backgroundKinds } from "./factors.ts";

export type BackgroundKind = (typeof backgroundKinds)[number];

const grey = 127;

/** Muted, so that the object's hue stays what it is. */
const muted = { saturation: 0.35, lightness: [0.35, 0.65] as const };

/** A background needs random numbers of its own, and for `texture` a picture at least as large as the canvas. */
export function paintBackground(
  pixels: Uint8Array,
  canvas: number,
  kind: BackgroundKind,
  random: Random,
  texture: () => TextureCrop,
): void {
  switch (kind) {
    case "grey":
      pixels.fill(grey);
      return;
    case "color":
      fillWith(pixels, mutedColor(random));
      return;
    case "gradient":
      fillGradient(pixels, canvas, mutedColor(random), mutedColor(random), random);
      return;
    case "texture":
      fillTexture(pixels, canvas, texture());
      return;
    default:
      kind satisfies never;
  }
}

function mutedColor(random: Random): Rgb {
  const [low, high] = muted.lightness;
  return rgbOf(360 * random.uniform(), low + (high - low) * random.uniform(), muted.saturation);
}

function fillWith(pixels: Uint8Array, [red, green, blue]: Rgb): void {
  for (let at = 0; at < pixels.length; at += 3) {
    pixels[at] = red + 0.5;
    pixels[at + 1] = green + 0.5;
    pixels[at + 2] = blue + 0.5;
  }
}

/** From one colour at one edge to another at the opposite one, in any direction. */
function fillGradient(pixels: Uint8Array, canvas: number, from: Rgb, to: Rgb, random: Random): void {
  const [right, down] = direction(random);
  const reach = (Math.abs(right) + Math.abs(down)) / 2;
  const step = 1 / (canvas * 2 * reach);
  for (let y = 0, at = 0; y < canvas; y++) {
    for (let x = 0; x < canvas; x++, at += 3) {
      const share = 0.5 + ((x + 0.5 - canvas / 2) * right + (y + 0.5 - canvas / 2) * down) * step;
      for (let c = 0; c < 3; c++) pixels[at + c] = from[c]! + (to[c]! - from[c]!) * share + 0.5;
    }
  }
}

/** A point on the unit circle, without sine and cosine, whose last bits may differ between versions of V8. */
function direction(random: Random): [right: number, down: number] {
  for (;;) {
    const [x, y] = [2 * random.uniform() - 1, 2 * random.uniform() - 1];
    const length = Math.sqrt(x * x + y * y);
    if (length > 0.01 && length <= 1) return [x / length, y / length];
  }
}

/** At half its contrast, around the paper's grey. */
function fillTexture(
  pixels: Uint8Array,
  canvas: number,
  { grey: values, width, top, left }: TextureCrop,
): void {
  for (let y = 0, at = 0; y < canvas; y++) {
    const row = (top + y) * width + left;
    for (let x = 0; x < canvas; x++, at += 3) {
      const value = 64 + (values[row + x]! >> 1);
      pixels[at] = value;
      pixels[at + 1] = value;
      pixels[at + 2] = value;
    }
  }
}
