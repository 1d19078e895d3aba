/** The background's largest rectangle, repeated: its texture without its layout. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Intervention } from "./intervention.ts";
import { inFrontOf, tiledAround, withoutThing } from "./surroundings.ts";

export const backgroundTiled: Intervention = {
  name: "background-tiled",
  description: "the thing before the largest rectangle of its own background, repeated",
  control: "its own background mirrored behind it",
  needs: ["thing"],
  variants: () => [
    {
      name: "repeated",
      change: async (image, { thing }) => {
        const mask = await thing();
        return mask && tiledAround(image, mask);
      },
      control: async (image, { thing, behind }) => {
        const mask = await thing();
        const free = mask && (await withoutThing(image, { thing, behind }));
        return free && inFrontOf(mirrored(free), image, mask);
      },
    },
  ],
};

function mirrored({ data, ...shape }: Pixels): Pixels {
  const { height, width, channels } = shape;
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (y * width + width - 1 - x) * channels;
      result.set(data.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { ...shape, data: result };
}
