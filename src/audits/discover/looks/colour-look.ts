/** Brightness and colour of a whole image. */

import type { Planes } from "./look.ts";

export interface ColourLook {
  /** From 0 to 1, as all that follow unless said. */
  brightness: number;
  /** Standard deviation of brightness. */
  contrast: number;
  /** Mean of the largest less the smallest of red, green and blue. */
  saturation: number;
  /** No pixel has a colour worth the name. */
  grey: boolean;
  /** Degrees of the colour circle; undefined where there is no colour, or as much of one as of its opposite. */
  hue: number | undefined;
  /** How much of all colour is of each sixth of the circle, from red on; all 0 where there is none. */
  hues: readonly number[];
  /** Entropy of brightness in bits: few tones in drawings, many in photographs. */
  tones: number;
  /** Shares of pixels that are nearly black, and nearly white. */
  dark: number;
  light: number;
}

/** Of 255: what JPEG adds to grey images stays below. */
const colourless = 6;

export const hueNames = ["red", "yellow", "green", "cyan", "blue", "magenta"] as const;

export function colourLook({ red, green, blue, light }: Planes): ColourLook {
  const size = light.length;
  const tones = new Uint32Array(256);
  const hues = new Float64Array(hueNames.length);
  let [sum, squares, colour, coloured, x, y] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const l = light[i]!;
    tones[l]!++;
    sum += l;
    squares += l * l;
    const r = red[i]!;
    const g = green[i]!;
    const b = blue[i]!;
    const chroma = Math.max(r, g, b) - Math.min(r, g, b);
    if (chroma === 0) continue;
    colour += chroma;
    if (chroma <= colourless) continue;
    coloured++;
    const hue = hueOf(r, g, b);
    // Sectors are centred on their colours: red is 330° to 30°.
    hues[Math.floor((hue / 60 + 0.5) % 6)]! += chroma;
    x += chroma * cosines[Math.round(hue)]!;
    y += chroma * sines[Math.round(hue)]!;
  }
  const mean = sum / size;
  const weight = hues.reduce((total, share) => total + share, 0);
  // A hundredth of all pixels is a coloured stamp on a grey picture.
  const grey = coloured < size / 100;
  const decided = weight > 0 && Math.hypot(x, y) / weight > 0.1;
  return {
    brightness: mean / 255,
    contrast: Math.sqrt(Math.max(0, squares / size - mean * mean)) / 255,
    saturation: colour / size / 255,
    grey,
    hue: grey || !decided ? undefined : angleOf(x, y),
    hues: Array.from(hues, (share) => (weight === 0 ? 0 : share / weight)),
    tones: entropy(tones, size),
    dark: share(tones, 0, 16) / size,
    light: share(tones, 240, 256) / size,
  };
}

/** Of whole degrees, 0 to 360: finer ones do not change a mean. */
export const cosines = Float64Array.from({ length: 361 }, (_, degree) => Math.cos((degree * Math.PI) / 180));
export const sines = Float64Array.from({ length: 361 }, (_, degree) => Math.sin((degree * Math.PI) / 180));

/** Of the hexagon, in degrees. */
export function hueOf(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  const chroma = most - Math.min(r, g, b);
  if (chroma === 0) return 0;
  const sixth =
    most === r ? ((g - b) / chroma + 6) % 6 : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return 60 * sixth;
}

/** Degrees from 0 to 360, to a hundredth: rounding must not part red from red at the circle's end. */
export function angleOf(x: number, y: number): number {
  const degrees = (Math.atan2(y, x) * 180) / Math.PI + 360;
  return (Math.round(100 * degrees) / 100) % 360;
}

function entropy(counts: Uint32Array, size: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / size) * Math.log2(count / size);
  return bits;
}

function share(counts: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += counts[i]!;
  return sum;
}
