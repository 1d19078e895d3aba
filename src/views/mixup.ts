/** Zhang et al. 2018: one λ a batch, and a shuffled copy of the batch as partners. */

import { z } from "zod";
import { defineView } from "./view.ts";

export const mixup = defineView({
  name: "mixup",
  description: "each image blended with another of the batch, and so its loss",
  version: 1,
  settings: z.object({
    alpha: z.number().positive().default(0.2).describe("α of the Beta distribution of the own share"),
  }),
  examples: ["alpha=0.1"],
  mix({ images, shape, partners, shares }, { alpha }, random) {
    const size = shape.height * shape.width * shape.channels;
    const own = random.beta(alpha, alpha);
    const source = Uint8Array.from(images);
    random.permutation(partners.length).forEach((partner, i) => {
      partners[i] = partner;
      shares[i] = own;
      for (let p = 0; p < size; p++) {
        images[i * size + p] = Math.round(
          own * source[i * size + p]! + (1 - own) * source[partner * size + p]!,
        );
      }
    });
  },
});
