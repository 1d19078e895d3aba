/** The image's large forms with the fine grain of another image: the view of that name. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Random } from "../../../core/random.ts";
import { swapTexture } from "../../../views/texture-swap.ts";
import type { Intervention } from "./intervention.ts";

export const textureSwapped: Intervention = {
  name: "texture-swapped",
  description: "the image's large forms with the fine grain of an image of another class",
  control: "its large forms with the fine grain of another image of its own class",
  needs: [],
  variants: () => [
    {
      name: "of another class",
      change: async (image, { partner, random }) => {
        const other = await partner("other");
        return other && grainOf(image, await other.pixels(), random);
      },
      control: async (image, { partner, random }) => {
        const other = await partner("same");
        return other && grainOf(image, await other.pixels(), random);
      },
    },
  ],
};

export function grainOf(image: Pixels, other: Pixels, random: Random): Pixels {
  return swapTexture({ ...image, data: Uint8Array.from(image.data) }, other, { random });
}
