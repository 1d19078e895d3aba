/** The things of an image in front of the background of another class (Li et al. 2023, section 5; their appendix B.5). */

import { z } from "zod";
import { emptyRegion, pasteMasked } from "./masks.ts";
import { backgroundOf, backgroundSide, boxesRead, regionOf, regionsBy, sidesRead } from "./regions.ts";
import { defineView } from "./view.ts";

export const backgroundSwap = defineView({
  name: "background-swap",
  description: "what the masks or boxes hold, on the background of an image of another class",
  version: 1,
  settings: z.object({
    masks: z
      .array(z.string().min(1))
      .min(1)
      .default(["mask", "co_occur_obj_mask"])
      .describe("things that are kept, by the names of their masks or boxes"),
    by: regionsBy,
    background: backgroundSide,
  }),
  examples: ["masks=mask", "background=tiled"],
  sides: (settings) => sidesRead(settings, settings.masks),
  boxes: (settings) => boxesRead(settings, settings.masks),
  partner: "other-class",
  async make(image, { settings, side, box, partner }) {
    const { masks, by } = settings;
    const other = await partner();
    const onto = await backgroundOf(other, other.pixels, settings, masks);
    let kept = 0;
    for (const name of masks)
      kept += pasteMasked(onto, image, await regionOf({ side, box }, by, name, image));
    if (kept === 0) throw emptyRegion(by, masks, "the image");
    return onto;
  },
});
