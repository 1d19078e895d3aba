/**
 * Large forms of the image, fine grain of another: what is finer than a few pixels is taken away, and a patch of another
 * image, repeated and stripped of its own large forms, is laid over it. A texture swap of our own; Li et al. 2023 use
 * style transfer, which `cuelab data stylise` and the view `copy` do.
 */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import type { Random } from "../core/random.ts";
import { boxMean } from "../images/box-mean.ts";
import { defineView } from "./view.ts";

export const textureSwap = defineView({
  name: "texture-swap",
  description: "the image's large forms with the fine grain of a patch of another image",
  version: 1,
  settings: z.object({
    patch: z.number().gt(0).max(1).default(0.125).describe("side of the patch, as part of the shorter side"),
    radius: z
      .number()
      .gt(0)
      .max(0.5)
      .default(0.015)
      .describe("how coarse the grain may be, as part of the shorter side"),
    strength: z.number().min(0).default(1).describe("how strong the grain is; 1 is as in the other image"),
  }),
  examples: ["strength=2"],
  partner: "any",
  async make(image, { settings, random, partner }) {
    return swapTexture(image, await (await partner()).pixels(), { ...settings, random });
  },
});

interface TextureOptions {
  random: Random;
  patch?: number;
  radius?: number;
  strength?: number;
}

/** In place. */
export function swapTexture(
  image: Pixels,
  other: Pixels,
  { random, patch = 0.125, radius = 0.015, strength = 1 }: TextureOptions,
): Pixels {
  const shorter = Math.min(image.height, image.width);
  const reach = Math.max(1, Math.round(radius * shorter));
  const texture = mirroredTiles(other, Math.max(2, Math.round(patch * shorter)), random);
  const [forms, coarse] = [boxMean(image, reach), boxMean(texture, reach)];
  for (let at = 0; at < image.data.length; at++) {
    const value = forms[at]! + strength * (texture.data[at]! - coarse[at]!);
    image.data[at] = Math.round(Math.min(255, Math.max(0, value)));
  }
  return image;
}

/** A square somewhere in the image, repeated over all of it, every second one mirrored so that no seam is seen. */
function mirroredTiles(image: Pixels, wanted: number, random: Random): Pixels {
  const { data, height, width, channels } = image;
  const side = Math.min(wanted, height, width);
  const [top, left] = [random.integer(height - side + 1), random.integer(width - side + 1)];
  const folded = (at: number) => (Math.floor(at / side) % 2 === 0 ? at % side : side - 1 - (at % side));
  const tiles = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = ((top + folded(y)) * width + left + folded(x)) * channels;
      tiles.set(data.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { ...image, data: tiles };
}
