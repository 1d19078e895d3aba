/** Colours as scenes mix them: red, green and blue from 0 to 255. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";

export type SceneColour = readonly [red: number, green: number, blue: number];

export const black: SceneColour = [0, 0, 0];
export const white: SceneColour = [255, 255, 255];

/** Hue in degrees, saturation and lightness in percent, as in CSS. */
export function hsl(hue: number, saturation: number, lightness: number): SceneColour {
  const light = lightness / 100;
  const reach = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (offset: number) => {
    const position = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (light - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** `share` of the second colour, the rest of the first. */
export function mix(first: SceneColour, second: SceneColour, share: number): SceneColour {
  return [
    first[0] + (second[0] - first[0]) * share,
    first[1] + (second[1] - first[1]) * share,
    first[2] + (second[2] - first[2]) * share,
  ];
}

/** Towards black below 1, towards white above: 1.2 is a fifth of the way to white. */
export function shade(colour: SceneColour, amount: number): SceneColour {
  return amount < 1 ? mix(black, colour, amount) : mix(colour, white, amount - 1);
}

/** The same colour, but not quite. */
export function vary(random: Random, colour: SceneColour, reach: number): SceneColour {
  const light = between(random, -reach, reach);
  const near = (channel: number) =>
    Math.min(255, Math.max(0, channel + light + between(random, -reach, reach) / 2));
  return [near(colour[0]), near(colour[1]), near(colour[2])];
}

export function css([red, green, blue]: SceneColour, opacity = 1): string {
  return `rgba(${Math.round(red)},${Math.round(green)},${Math.round(blue)},${opacity.toFixed(3)})`;
}
