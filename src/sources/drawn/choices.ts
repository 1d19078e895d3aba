/** How drawings vary: one of several, a number between two, a colour near another. */

import type { Random } from "../../core/random.ts";

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

export function oneOf<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(choices.length)]!;
}

/** Hue in degrees, saturation and lightness in hundredths. */
export interface Colour {
  hue: number;
  saturation: number;
  lightness: number;
}

export type HueSaturationLightness = readonly [number, number, number];

/** A colour that people would call the same. */
export function near(
  random: Random,
  [hue, saturation, lightness]: HueSaturationLightness,
  spread = 1,
): Colour {
  return {
    hue: hue + spread * between(random, -7, 7),
    saturation: limited(saturation + spread * between(random, -8, 8)),
    lightness: limited(lightness + spread * between(random, -6, 6)),
  };
}

/** As the pen wants it; `light` is added to the lightness, which stays clear of black and white. */
export function css({ hue, saturation, lightness }: Colour, light = 0, alpha = 1): string {
  const shown = Math.min(0.97, Math.max(0.04, (lightness + light) / 100));
  const reach = (saturation / 100) * Math.min(shown, 1 - shown);
  const channel = (turn: number) => {
    const sixth = (((turn + hue / 30) % 12) + 12) % 12;
    return hex(shown - reach * Math.max(-1, Math.min(sixth - 3, 9 - sixth, 1)));
  };
  return `#${channel(0)}${channel(8)}${channel(4)}${hex(alpha)}`;
}

/** A grey, a little bluish as metal and rubber are. */
export function grey(lightness: number, alpha = 1): string {
  return css({ hue: 218, saturation: 6, lightness }, 0, alpha);
}

function hex(share: number): string {
  return Math.round(255 * share)
    .toString(16)
    .padStart(2, "0");
}

function limited(share: number): number {
  return Math.min(96, Math.max(0, share));
}
