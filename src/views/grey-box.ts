/** A grey box where the main thing is: an image of all but what its label says (CF(Grey) of Chang et al. 2021). */

import { z } from "zod";
import { boxNeeds, boxOf, boxSource } from "./box-source.ts";
import { defineView } from "./view.ts";

export const greyBox = defineView({
  name: "grey-box",
  description: "a grey box over the main thing",
  version: 1,
  settings: z.object({
    ...boxSource,
    grey: z.number().int().min(0).max(255).default(128).describe("what the box holds"),
  }),
  examples: ["grey=0"],
  ...boxNeeds,
  async make(image, at) {
    const { left, top, width, height } = await boxOf(at);
    const { channels } = image;
    const [from, to] = [Math.max(0, left), Math.min(image.width, left + width)];
    for (let y = Math.max(0, top); y < Math.min(image.height, top + height); y++) {
      const row = y * image.width;
      image.data.fill(at.settings.grey, (row + from) * channels, (row + to) * channels);
    }
    return image;
  },
});
