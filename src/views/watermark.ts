/** White text of random place, size and characters (Li et al. 2023, Appendix B.1). */

import { z } from "zod";
import { addRandomWatermark } from "../images/watermark/random-watermark.ts";
import { probability } from "./probability.ts";
import { defineView } from "./view.ts";

export const watermark = defineView({
  name: "watermark",
  description: "a watermark of random place, size and characters",
  version: 1,
  settings: z.object({ probability: probability(0.5) }),
  examples: ["probability=1"],
  make(image, { settings, random }) {
    if (random.boolean(settings.probability)) addRandomWatermark(image.data, image, random);
    return image;
  },
});
