/** Nothing around the thing. */

import type { Intervention } from "./intervention.ts";
import { inFrontOf, tiledAround } from "./surroundings.ts";

export const ownBackgroundAgain = "its own background tiled again around it";

export const backgroundRemoved: Intervention = {
  name: "background-removed",
  description: "the thing on plain grey",
  control: ownBackgroundAgain,
  needs: ["thing"],
  variants: () => [
    {
      name: "grey",
      shared: ownBackgroundAgain,
      change: async (image, { thing }) => {
        const mask = await thing();
        return (
          mask && inFrontOf({ ...image, data: new Uint8Array(image.data.length).fill(128) }, image, mask)
        );
      },
      control: async (image, { thing }) => {
        const mask = await thing();
        return mask && tiledAround(image, mask);
      },
    },
  ],
};
