/**
 * The edges of an image, white on black, so that neither colours nor textures are left. Li et al. 2023 take them from a
 * network, DexiNed; these are Sobel's, and bear another name for that. The view `copy` takes a network's.
 */

import { z } from "zod";
import { edgeStrength } from "../images/edges.ts";
import { defineView } from "./view.ts";

export const sobelEdges = defineView({
  name: "sobel-edges",
  description: "edges alone, white on black",
  version: 1,
  settings: z.object({
    gain: z
      .number()
      .positive()
      .default(1)
      .describe("how bright edges are; at 1 a step from black to white is white"),
  }),
  examples: ["gain=2"],
  make(image, { settings: { gain } }) {
    const { data, channels } = image;
    edgeStrength(image).forEach((strength, pixel) => {
      data.fill(Math.min(255, Math.round(gain * strength)), pixel * channels, (pixel + 1) * channels);
    });
    return image;
  },
});
