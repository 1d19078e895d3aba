/** A random colour with noise outside the main thing's box: an image of nothing but what its label says (F(Random) of Chang et al. 2021). */

import { z } from "zod";
import { boxNeeds, boxOf, boxSource } from "./box-source.ts";
import { defineView } from "./view.ts";

export const randomBackground = defineView({
  name: "random-background",
  description: "a random colour with noise around the box of the main thing",
  version: 1,
  settings: z.object({
    ...boxSource,
    noise: z
      .number()
      .min(0)
      .max(255)
      .default(51)
      .describe("deviation of the noise, in bytes; the colour is uniform"),
  }),
  examples: ["noise=0"],
  ...boxNeeds,
  async make(image, at) {
    const { settings, random } = at;
    const { left, top, width, height } = await boxOf(at);
    const { data, channels } = image;
    const colour = Array.from({ length: channels }, () => 256 * random.uniform());
    for (let y = 0; y < image.height; y++) {
      const isBeside = y < top || y >= top + height;
      for (let x = 0; x < image.width; x++) {
        if (!isBeside && x >= left && x < left + width) continue;
        const pixel = (y * image.width + x) * channels;
        // Bytes that are too large or too small become the largest or the smallest.
        for (let c = 0; c < channels; c++) {
          const value = colour[c]! + settings.noise * random.normal();
          data[pixel + c] = Math.min(255, Math.max(0, Math.floor(value)));
        }
      }
    }
    return image;
  },
});
