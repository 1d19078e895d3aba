/** The main thing of an image on its own background, beside the second thing of another class (Li et al. 2023, section 5). */

import { z } from "zod";
import { emptyMask, pasteMasked } from "./masks.ts";
import { defineView } from "./view.ts";

export const coObjectSwap = defineView({
  name: "co-object-swap",
  description: "the co-occurring object of an image of another class in the place of its own",
  version: 1,
  settings: z.object({
    mask: z.string().min(1).default("mask").describe("side image that is white where the main thing is"),
    object: z
      .string()
      .min(1)
      .default("co_occur_obj_mask")
      .describe("side image that is white where the co-occurring object is"),
    background: z.string().min(1).default("bg_only").describe("side image that is the background alone"),
  }),
  examples: ["object=co_occur_obj_mask"],
  sides: ({ mask, object, background }) => [mask, object, background],
  partner: "other-class",
  async make(image, { settings: { mask, object, background }, side, partner }) {
    const other = await partner();
    const onto = await side(background);
    if (pasteMasked(onto, await other.pixels(), await other.side(object)) === 0)
      throw emptyMask([object], "the partner");
    if (pasteMasked(onto, image, await side(mask)) === 0) throw emptyMask([mask], "the image");
    return onto;
  },
});
