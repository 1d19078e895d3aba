/** The thing's outline alone. */

import { inside } from "../../../images/compose.ts";
import { mirroredPatches } from "./controls.ts";
import type { Intervention } from "./intervention.ts";
import { inFrontOf } from "./surroundings.ts";

/** Of the patches that the control mirrors, as a part of the shorter side. */
const patch = 1 / 16;

export const silhouette: Intervention = {
  name: "silhouette",
  description: "the thing filled with its own mean colour, its background as it is",
  control: "the thing's inside mirrored in small squares",
  needs: ["mask"],
  variants: () => [
    {
      name: "filled",
      change: async (image, { thing }) => {
        const mask = await thing();
        if (mask === undefined) return undefined;
        const { channels } = image;
        const means = Array.from({ length: channels }, (_, c) => {
          let [sum, count] = [0, 0];
          mask.data.forEach((value, at) => {
            if (value <= inside) return;
            sum += image.data[at * channels + c]!;
            count++;
          });
          return Math.round(sum / count);
        });
        const filled = image.data.map((_, at) => means[at % channels]!);
        return inFrontOf(image, { ...image, data: filled }, mask);
      },
      control: async (image, { thing }) => {
        const mask = await thing();
        const side = Math.max(2, Math.round(patch * Math.min(image.height, image.width)));
        return mask && inFrontOf(image, mirroredPatches(image, side), mask);
      },
    },
  ],
};
