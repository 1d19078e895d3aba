/** Time of day and weather: the sky, what it does to colours far away, and what lies over the finished picture. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { side } from "./chance.ts";
import { black, css, hsl, mix, type SceneColour, white } from "./colour.ts";
import { roughen } from "./tiles.ts";

export interface Light {
  skyTop: SceneColour;
  skyLow: SceneColour;
  /** Share of a colour that the air takes away in one metre. */
  fog: number;
  clouds: number;
  cloudColour: SceneColour;
  /** What the whole picture is multiplied with. */
  tint: SceneColour;
  /** Where the sun stands: left or right. */
  sunSide: -1 | 1;
  /** How much darker faces are that look away from the sun, 0 to 1. */
  contrast: number;
  /** Whether windows and lamps are lit. */
  lamps: boolean;
  wet: boolean;
}

export type Weather = "clear" | "hazy" | "overcast" | "fog" | "golden" | "dusk" | "night" | "rain";

const usual: readonly Weather[] = [
  "clear",
  "clear",
  "clear",
  "hazy",
  "overcast",
  "overcast",
  "fog",
  "golden",
  "golden",
  "dusk",
  "dusk",
  "night",
  "rain",
];

export function chooseLight(random: Random, weathers: readonly Weather[] = usual): Light {
  const weather = oneOf(random, weathers);
  return { ...recipes[weather](random), sunSide: side(random) };
}

/** The colour of a thing seen from `metres` away. */
export function faded(colour: SceneColour, metres: number, { fog, skyLow }: Light): SceneColour {
  return mix(colour, skyLow, 1 - Math.exp(-fog * metres));
}

/** The sky from the top down to `bottom`, and a plain ground of the air's colour below. */
export function paintSky(pen: Pen, random: Random, light: Light, bottom: number): void {
  const gradient = pen.createLinearGradient(0, 0, 0, bottom);
  gradient.addColorStop(0, css(light.skyTop));
  gradient.addColorStop(between(random, 0.8, 1), css(light.skyLow));
  pen.fillStyle = gradient;
  pen.fillRect(0, 0, 1, 1);
  if (light.clouds <= 0) return;
  const layers = light.clouds > 0.5 ? 2 : 1;
  for (let layer = 0; layer < layers; layer++) {
    const box = { x: -0.02, y: -0.02, width: 1.04, height: bottom + 0.02 };
    pen.save();
    pen.beginPath();
    pen.rect(0, 0, 1, bottom);
    pen.clip();
    roughen(pen, random, "cloud", box, light.clouds * between(random, 0.6, 1), {
      across: between(random, 0.35, 0.8),
      up: between(random, 0.9, 1.9),
    });
    pen.restore();
  }
  // Tiles are white; clouds take on the colour of the light.
  const veil = pen.createLinearGradient(0, 0, 0, bottom);
  veil.addColorStop(0, css(light.cloudColour, 0.32 * light.clouds));
  veil.addColorStop(1, css(light.skyLow, 0.3 * light.clouds));
  pen.fillStyle = veil;
  pen.fillRect(0, 0, 1, bottom);
}

/** Tint, a fall of light towards one side, dark corners and the grain of a film. */
export function finish(pen: Pen, random: Random, light: Light): void {
  pen.globalCompositeOperation = "multiply";
  pen.fillStyle = css(light.tint);
  pen.fillRect(0, 0, 1, 1);
  const fall = pen.createLinearGradient(light.sunSide > 0 ? 1 : 0, 0, light.sunSide > 0 ? 0 : 1, 0.4);
  fall.addColorStop(0, css(white));
  fall.addColorStop(1, css(mix(white, black, 0.3 * light.contrast)));
  pen.fillStyle = fall;
  pen.fillRect(0, 0, 1, 1);
  pen.globalCompositeOperation = "source-over";
  roughen(pen, random, "grain", { x: 0, y: 0, width: 1, height: 1 }, between(random, 0.02, 0.09));
}

type LightRecipe = (random: Random) => Omit<Light, "sunSide">;

const plain = { lamps: false, wet: false, tint: white, cloudColour: white };

const recipes: Record<Weather, LightRecipe> = {
  clear: (random) => ({
    ...plain,
    skyTop: hsl(between(random, 203, 222), between(random, 45, 75), between(random, 42, 62)),
    skyLow: hsl(between(random, 195, 212), between(random, 30, 60), between(random, 76, 88)),
    fog: between(random, 0.001, 0.004),
    clouds: between(random, 0, 1),
    tint: hsl(between(random, 35, 60), between(random, 0, 50), between(random, 92, 100)),
    contrast: between(random, 0.6, 1),
  }),
  hazy: (random) => ({
    ...plain,
    skyTop: hsl(between(random, 195, 225), between(random, 15, 35), between(random, 62, 75)),
    skyLow: hsl(between(random, 30, 60), between(random, 15, 40), between(random, 80, 90)),
    fog: between(random, 0.006, 0.014),
    clouds: between(random, 0, 0.5),
    tint: hsl(between(random, 30, 55), between(random, 20, 60), between(random, 90, 98)),
    contrast: between(random, 0.4, 0.7),
  }),
  overcast: (random) => {
    const grey = between(random, 55, 80);
    return {
      ...plain,
      skyTop: hsl(between(random, 200, 230), between(random, 3, 14), grey),
      skyLow: hsl(between(random, 200, 230), between(random, 2, 10), grey + between(random, 6, 14)),
      fog: between(random, 0.003, 0.008),
      clouds: between(random, 0.3, 0.7),
      cloudColour: hsl(220, 8, 55),
      tint: hsl(between(random, 190, 230), between(random, 0, 40), between(random, 82, 94)),
      contrast: between(random, 0.1, 0.3),
    };
  },
  fog: (random) => {
    const sky = hsl(between(random, 40, 220), between(random, 2, 12), between(random, 72, 86));
    return {
      ...plain,
      skyTop: mix(sky, [130, 140, 155], between(random, 0, 0.3)),
      skyLow: sky,
      fog: between(random, 0.02, 0.045),
      clouds: 0,
      tint: hsl(between(random, 190, 230), between(random, 0, 30), between(random, 86, 97)),
      contrast: between(random, 0, 0.2),
      lamps: random.boolean(0.3),
    };
  },
  golden: (random) => ({
    ...plain,
    skyTop: hsl(between(random, 200, 225), between(random, 25, 50), between(random, 50, 66)),
    skyLow: hsl(between(random, 24, 48), between(random, 70, 95), between(random, 68, 82)),
    fog: between(random, 0.003, 0.009),
    clouds: between(random, 0, 0.9),
    cloudColour: hsl(between(random, 15, 35), 80, 75),
    tint: hsl(between(random, 26, 42), between(random, 60, 100), between(random, 84, 93)),
    contrast: between(random, 0.8, 1),
    lamps: random.boolean(0.2),
  }),
  dusk: (random) => ({
    ...plain,
    skyTop: hsl(between(random, 212, 255), between(random, 20, 42), between(random, 32, 50)),
    skyLow: hsl(between(random, 345, 405), between(random, 30, 62), between(random, 64, 80)),
    fog: between(random, 0.004, 0.01),
    clouds: between(random, 0, 0.7),
    cloudColour: hsl(between(random, 330, 390), 40, 58),
    tint: hsl(between(random, 230, 390), between(random, 12, 35), between(random, 74, 86)),
    contrast: between(random, 0.2, 0.5),
    lamps: true,
  }),
  night: (random) => ({
    ...plain,
    skyTop: hsl(between(random, 215, 245), between(random, 30, 55), between(random, 12, 22)),
    skyLow: hsl(between(random, 205, 250), between(random, 20, 45), between(random, 30, 44)),
    fog: between(random, 0.004, 0.01),
    clouds: between(random, 0, 0.25),
    cloudColour: hsl(225, 30, 30),
    tint: hsl(between(random, 205, 240), between(random, 12, 32), between(random, 58, 72)),
    contrast: 0.2,
    lamps: true,
  }),
  rain: (random) => {
    const grey = between(random, 42, 62);
    return {
      ...plain,
      skyTop: hsl(between(random, 205, 230), between(random, 6, 16), grey),
      skyLow: hsl(between(random, 200, 230), between(random, 4, 12), grey + 12),
      fog: between(random, 0.008, 0.016),
      clouds: between(random, 0.2, 0.5),
      cloudColour: hsl(220, 10, 42),
      tint: hsl(between(random, 200, 230), between(random, 15, 40), between(random, 74, 86)),
      contrast: between(random, 0, 0.2),
      lamps: random.boolean(0.4),
      wet: true,
    };
  },
};
