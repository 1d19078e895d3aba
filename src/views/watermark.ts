/** White text of random place, size and characters (Li et al. 2023, Appendix B.1). */

import { z } from "zod";
import { addRandomWatermark } from "../images/watermark/random-watermark.ts";
import { imageNetW } from "../images/watermark/watermark.ts";
import { probability } from "./probability.ts";
import { defineView } from "./view.ts";

export const watermark = defineView({
  name: "watermark",
  description: "a watermark of random place, size and characters",
  version: 1,
  settings: z.object({
    probability: probability(0.5),
    alpha: z
      .number()
      .int()
      .min(1)
      .max(255)
      .default(imageNetW.alpha)
      .describe("opacity, from 1 to 255; ImageNet-W's is 128"),
  }),
  examples: ["probability=1", "alpha=255"],
  make(image, { settings, random }) {
    if (random.boolean(settings.probability)) addRandomWatermark(image.data, image, random, settings.alpha);
    return image;
  },
});
