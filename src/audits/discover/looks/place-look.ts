/** What stands out from the background: where it is, how large, and of which colour. */

import { angleOf, cosines, hueOf, sines } from "./colour-look.ts";
import type { Planes } from "./look.ts";
import type { RgbColour } from "./margin-look.ts";

/** All undefined but `size` where nothing stands out. */
export interface PlaceLook {
  /** Of the image's width and height, from 0 to 1. */
  x: number | undefined;
  y: number | undefined;
  /** Share of the pixels. */
  size: number;
  /** Standard deviation of places, over the image's diagonal: low for one thing, high for many or a pattern. */
  spread: number | undefined;
  brightness: number | undefined;
  saturation: number | undefined;
  /** Degrees; undefined where it is grey. */
  hue: number | undefined;
}

/** Of 255: differences below are compression, noise and light. */
const least = 24;
/** Of what differs most: some pixels are always odd ones. */
const topShare = 0.02;
const colourless = 16;

export function placeLook(planes: Planes, background: RgbColour): PlaceLook {
  const { width, height, red, green, blue, light } = planes;
  const size = width * height;
  const differences = new Uint8Array(size);
  const counts = new Uint32Array(256);
  let sum = 0;
  for (let i = 0; i < size; i++) {
    const difference = Math.max(
      Math.abs(red[i]! - background[0]),
      Math.abs(green[i]! - background[1]),
      Math.abs(blue[i]! - background[2]),
    );
    differences[i] = difference;
    counts[difference]!++;
    sum += difference;
  }
  // Halfway between what is usual and what differs most.
  const threshold = Math.max(least, (sum / size + topOf(counts, size)) / 2);
  let [many, sx, sy, sxx, syy, bright, chroma, hueX, hueY] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    if (differences[i]! < threshold) continue;
    const x = i % width;
    const y = (i - x) / width;
    many++;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    bright += light[i]!;
    const r = red[i]!;
    const g = green[i]!;
    const b = blue[i]!;
    const own = Math.max(r, g, b) - Math.min(r, g, b);
    chroma += own;
    if (own <= colourless) continue;
    const degree = Math.round(hueOf(r, g, b));
    hueX += own * cosines[degree]!;
    hueY += own * sines[degree]!;
  }
  if (many === 0) {
    const nothing = undefined;
    return {
      size: 0,
      x: nothing,
      y: nothing,
      spread: nothing,
      brightness: nothing,
      saturation: nothing,
      hue: nothing,
    };
  }
  const variance = Math.max(0, sxx / many - (sx / many) ** 2) + Math.max(0, syy / many - (sy / many) ** 2);
  return {
    x: (sx / many + 0.5) / width,
    y: (sy / many + 0.5) / height,
    size: many / size,
    spread: Math.sqrt(variance) / Math.hypot(width, height),
    brightness: bright / many / 255,
    saturation: chroma / many / 255,
    hue: Math.hypot(hueX, hueY) / many > colourless ? angleOf(hueX, hueY) : undefined,
  };
}

/** The difference that a fiftieth of all pixels reach. */
function topOf(counts: Uint32Array, size: number): number {
  let above = 0;
  for (let value = 255; value > 0; value--) {
    above += counts[value]!;
    if (above >= topShare * size) return value;
  }
  return 0;
}
