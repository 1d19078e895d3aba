/** No colours around the thing. */

import { saturate } from "../../../views/colours.ts";
import { ownBackgroundAgain } from "./background-removed.ts";
import type { Intervention } from "./intervention.ts";
import { inFrontOf, tiledAround } from "./surroundings.ts";

export const backgroundGreyed: Intervention = {
  name: "background-greyed",
  description: "the thing in colour, its background without",
  control: ownBackgroundAgain,
  needs: ["thing", "colour"],
  variants: () => [
    {
      name: "without colour",
      shared: ownBackgroundAgain,
      change: async (image, { thing }) => {
        const mask = await thing();
        if (mask === undefined) return undefined;
        const grey = { ...image, data: Uint8Array.from(image.data) };
        saturate(grey, 0);
        return inFrontOf(grey, image, mask);
      },
      control: async (image, { thing }) => {
        const mask = await thing();
        return mask && tiledAround(image, mask);
      },
    },
  ],
};
