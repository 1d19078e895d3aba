/** Takes the colours out of some images. */

import { z } from "zod";
import { saturate } from "./colours.ts";
import { probability } from "./probability.ts";
import { defineView } from "./view.ts";

export const grey = defineView({
  name: "grey",
  description: "no colours",
  version: 1,
  settings: z.object({ probability: probability(0.1) }),
  examples: ["probability=0.5"],
  make(image, { settings, random }) {
    if (random.boolean(settings.probability)) saturate(image, 0);
    return image;
  },
});
