/** Colour jitter: brightness, contrast, saturation and hue, each by a random factor of its own. */

import { z } from "zod";
import { brighten, contrast, rotateHue, saturate } from "./colours.ts";
import { defineView } from "./view.ts";

const strength = (what: string) =>
  z.number().min(0).max(1).default(0.3).describe(`${what}, up or down by up to this share`);

export const jitter = defineView({
  name: "jitter",
  description: "other brightness, contrast, saturation and hue",
  version: 1,
  settings: z.object({
    brightness: strength("brightness"),
    contrast: strength("contrast"),
    saturation: strength("saturation"),
    hue: z
      .number()
      .min(0)
      .max(0.5)
      .default(0.3)
      .describe("hue, either way by up to this share of the colour circle"),
  }),
  examples: ["hue=0"],
  make(image, { settings, random }) {
    const factor = (strength: number) => 1 - strength + 2 * strength * random.uniform();
    brighten(image, factor(settings.brightness));
    contrast(image, factor(settings.contrast));
    saturate(image, factor(settings.saturation));
    rotateHue(image, (2 * random.uniform() - 1) * settings.hue * 2 * Math.PI);
    return image;
  },
});
