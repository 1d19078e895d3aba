/** The image stored as JPEG of low quality. */

import { recompressed } from "../../../images/corruptions/jpeg.ts";
import { scattered } from "./controls.ts";
import type { Intervention } from "./intervention.ts";

export const jpeg: Intervention = {
  name: "jpeg",
  description: "stored as JPEG of low quality and read again",
  control: "the same changes of pixels, scattered over the image",
  needs: [],
  damages: true,
  variants: ({ qualities }) =>
    qualities.map((quality) => ({
      name: `quality ${quality}`,
      change: (image) => recompressed(image, quality),
      control: (image, { random }, changed) => scattered(image, changed, random),
    })),
};
