/** A view to begin with: images darker by chance, as by a lamp further away. */

export const viewTemplate = (
  name: string,
): string => `/** ${name}: every image as dark as chance will have it. */

import { defineView, definePlugin } from "cuelab/plugin";
import { z } from "zod";

const view = defineView({
  name: "${name}",
  description: "darker by chance",
  // Raise it whenever equal settings and random numbers would give other pixels.
  version: 1,
  settings: z.object({
    least: z.number().min(0).max(1).default(0.5).describe("the darkest, as a share of the image's brightness"),
  }),
  examples: ["least=0.2"],
  // All chance comes from here, so that the same seed gives the same images in every thread.
  make(image, { settings, random }) {
    const factor = settings.least + (1 - settings.least) * random.uniform();
    for (let i = 0; i < image.data.length; i++) image.data[i] = Math.round(image.data[i] * factor);
    return image;
  },
});

export default definePlugin({ views: [view] });
`;
