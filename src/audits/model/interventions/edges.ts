/** Edges alone, without colours and textures (Sobel's, as the view sobel-edges has them). */

import { edgeStrength } from "../../../images/edges.ts";
import { scattered } from "./controls.ts";
import type { Intervention } from "./intervention.ts";

export const edges: Intervention = {
  name: "edges",
  description: "edges alone, white on black",
  control: "as strong changes, scattered over the image",
  needs: [],
  variants: () => [
    {
      name: "sobel",
      change: (image) => {
        const data = new Uint8Array(image.data.length);
        edgeStrength(image).forEach((strength, pixel) => {
          const value = Math.min(255, Math.round(strength));
          data.fill(value, pixel * image.channels, (pixel + 1) * image.channels);
        });
        return { ...image, data };
      },
      control: (image, { random }, changed) => scattered(image, changed, random),
    },
  ],
};
