/** Mirrors left and right. */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import { probability } from "./probability.ts";
import { defineView } from "./view.ts";

export const flip = defineView({
  name: "flip",
  description: "left and right change places",
  version: 1,
  settings: z.object({ probability: probability(0.5) }),
  examples: ["probability=1"],
  moves: true,
  make(image, { settings, random }) {
    if (random.boolean(settings.probability)) mirror(image);
    return image;
  },
});

function mirror({ data, height, width, channels }: Pixels): void {
  for (let y = 0; y < height; y++) {
    const row = y * width * channels;
    for (let left = 0, right = width - 1; left < right; left++, right--) {
      for (let c = 0; c < channels; c++) {
        const [a, b] = [row + left * channels + c, row + right * channels + c];
        const kept = data[a]!;
        data[a] = data[b]!;
        data[b] = kept;
      }
    }
  }
}
