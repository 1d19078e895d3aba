/**
 * Nothing around the thing. What is plain has the mean colour of all images: one grey for all costs networks that know only darker images
 * up to 35 points, whatever they know of backgrounds, and the background's own mean colour still tells what it is.
 */

import type { Intervention } from "./intervention.ts";
import { inFrontOf, tiledAround } from "./surroundings.ts";

export const ownBackgroundAgain = "its own background tiled again around it";

export const backgroundRemoved: Intervention = {
  name: "background-removed",
  description: "the thing on a plain surface, in the mean colour of the images",
  control: ownBackgroundAgain,
  needs: ["thing"],
  variants: ({ mean }) => [
    {
      name: "mean colour",
      shared: ownBackgroundAgain,
      change: async (image, { thing }) => {
        const mask = await thing();
        if (mask === undefined) return undefined;
        const plain = image.data.map((_, at) => mean[at % image.channels]!);
        return inFrontOf({ ...image, data: plain }, image, mask);
      },
      control: async (image, { thing }) => {
        const mask = await thing();
        return mask && tiledAround(image, mask);
      },
    },
  ],
};
