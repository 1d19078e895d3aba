/** A line of text over the image, as ImageNet-W has it: the seven contents of Li et al. 2023 at several heights. */

import { addWatermark, contentOf, imageNetW } from "../../../images/watermark/watermark.ts";
import { scattered } from "./controls.ts";
import type { Intervention, MarkPlace } from "./intervention.ts";

/** Where the line's top is, as a part of the height; ImageNet-W's is the middle. */
const heights: Record<MarkPlace, number> = { middle: imageNetW.y, top: 0.05, bottom: 0.75 };

export const watermark: Intervention = {
  name: "watermark",
  description: "a half transparent line of text over the image",
  control: "the ink of the same text, pixel by pixel, scattered over the image",
  needs: ["room"],
  variants: ({ contents, places }) =>
    contents.flatMap((content) =>
      places.map((place) => ({
        name: `${content}, ${place}`,
        marks: true as const,
        change: (image) => addWatermark(image, { ...imageNetW, ...contentOf(content), y: heights[place] }),
        control: (image, { random }, changed) => scattered(image, changed, random),
      })),
    ),
};
