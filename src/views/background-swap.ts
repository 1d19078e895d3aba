/** The things of an image in front of the background of another class (Li et al. 2023, section 5; their appendix B.5). */

import { z } from "zod";
import { emptyMask, pasteMasked } from "./masks.ts";
import { defineView } from "./view.ts";

export const backgroundSwap = defineView({
  name: "background-swap",
  description: "what the masks hold, on the background of an image of another class",
  version: 1,
  settings: z.object({
    masks: z
      .array(z.string().min(1))
      .min(1)
      .default(["mask", "co_occur_obj_mask"])
      .describe("side images that are white where something is kept"),
    background: z.string().min(1).default("bg_only").describe("side image that is the background alone"),
  }),
  examples: ["masks=mask"],
  sides: ({ masks, background }) => [...masks, background],
  partner: "other-class",
  async make(image, { settings: { masks, background }, side, partner }) {
    const onto = await (await partner()).side(background);
    let kept = 0;
    for (const name of masks) kept += pasteMasked(onto, image, await side(name));
    if (kept === 0) throw emptyMask(masks, "the image");
    return onto;
  },
});
