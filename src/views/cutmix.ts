/** Yun et al. 2019: a rectangle of the partner; λ is the share of the area that is left. */

import { z } from "zod";
import { defineView } from "./view.ts";

export const cutmix = defineView({
  name: "cutmix",
  description: "a rectangle of another image of the batch, whose label has that share of the loss",
  version: 1,
  settings: z.object({
    alpha: z.number().positive().default(1).describe("α of the Beta distribution of the own share"),
  }),
  examples: ["alpha=0.5"],
  mix({ images, shape: { height, width, channels }, partners, shares }, { alpha }, random) {
    const size = height * width * channels;
    const side = Math.sqrt(1 - random.beta(alpha, alpha));
    const [tall, wide] = [Math.round(height * side), Math.round(width * side)];
    const [middleY, middleX] = [random.integer(height), random.integer(width)];
    const top = Math.max(0, middleY - (tall >> 1));
    const left = Math.max(0, middleX - (wide >> 1));
    const bottom = Math.min(height, middleY + (tall >> 1));
    const right = Math.min(width, middleX + (wide >> 1));
    const own = 1 - ((bottom - top) * (right - left)) / (height * width);
    const source = Uint8Array.from(images);
    random.permutation(partners.length).forEach((partner, i) => {
      partners[i] = partner;
      shares[i] = own;
      for (let y = top; y < bottom; y++) {
        const from = (y * width + left) * channels;
        const length = (right - left) * channels;
        images.set(source.subarray(partner * size + from, partner * size + from + length), i * size + from);
      }
    });
  },
});
