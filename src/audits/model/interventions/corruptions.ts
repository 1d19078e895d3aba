/** Common corruptions at some of their five severities (Hendrycks & Dietterich 2019): no cue, but what makes a model look fragile. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Random } from "../../../core/random.ts";
import { blur, pixelate } from "../../../images/corruptions/blur.ts";
import { fog } from "../../../images/corruptions/fog.ts";
import { brightness, contrastLoss } from "../../../images/corruptions/light.ts";
import { noise } from "../../../images/corruptions/noise.ts";
import type { Severity } from "../../../images/corruptions/severity.ts";
import { scattered, shiftedLight } from "./controls.ts";
import type { Intervention } from "./intervention.ts";

type Corrupt = (image: Pixels, severity: Severity, random: Random) => Pixels;
type Control = (image: Pixels, changed: Pixels, random: Random) => Pixels;

/** Noise that is scattered is the same noise, and light that is scattered the same light: each is the other's control. */
const kinds: Record<string, readonly [Corrupt, Control]> = {
  noise: [noise, shiftedLight],
  blur: [blur, scattered],
  contrast: [contrastLoss, scattered],
  brightness: [brightness, signed],
  fog: [fog, scattered],
  pixelate: [pixelate, scattered],
};

export const corruptions: Intervention = {
  name: "corruptions",
  description: "noise, blur, less contrast, more brightness, fog, coarse pixels",
  control:
    "the same changes of pixels, scattered over the image; of noise, its mean change of all pixels in one direction; of brightness, " +
    "the same changes up or down at random",
  needs: [],
  damages: true,
  variants: ({ severities }) =>
    Object.entries(kinds).flatMap(([kind, [corrupt, control]]) =>
      severities.map((severity) => ({
        name: `${kind} ${severity}`,
        change: (image, { random }) => corrupt(image, severity, random),
        control: (image, { random }, changed) => control(image, changed, random),
      })),
    ),
};

function signed(image: Pixels, changed: Pixels, random: Random): Pixels {
  const { channels } = image;
  const data = Uint8Array.from(image.data);
  for (let at = 0; at < data.length; at += channels) {
    const sign = random.boolean(0.5) ? 1 : -1;
    for (let c = at; c < at + channels; c++) {
      const to = image.data[c]! + sign * (changed.data[c]! - image.data[c]!);
      data[c] = Math.min(255, Math.max(0, to));
    }
  }
  return { ...image, data };
}
