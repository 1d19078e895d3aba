/** A stylised copy of the image that lies beside it (`cuelab data stylise` makes some): its forms with another's texture. */

import type { Intervention } from "./intervention.ts";
import { grainOf } from "./texture-swapped.ts";

export const stylised: Intervention = {
  name: "stylised",
  description: "the image's stylised copy",
  control: "the image with its own grain laid over it again",
  needs: ["stylised"],
  variants: () => [
    {
      name: "copy",
      change: (_, { side }) => side("stylised"),
      control: (image, { random }) => grainOf(image, image, random),
    },
  ],
};
