/** The main thing of an image on its own background, beside the second thing of another class (Li et al. 2023, section 5). */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import { emptyRegion, pasteMasked } from "./masks.ts";
import { backgroundOf, backgroundSide, boxesRead, regionOf, regionsBy, sidesRead } from "./regions.ts";
import { defineView, type ViewPartner } from "./view.ts";

export const coObjectSwap = defineView({
  name: "co-object-swap",
  description: "the co-occurring object of an image of another class in the place of its own",
  version: 1,
  settings: z.object({
    mask: z.string().min(1).default("mask").describe("the main thing, by the name of its mask or box"),
    object: z.string().min(1).default("co_occur_obj_mask").describe("the co-occurring object, likewise"),
    by: regionsBy,
    background: backgroundSide,
  }),
  examples: ["object=co_occur_obj_mask", "background=tiled"],
  sides: (settings) => sidesRead(settings, [settings.mask, settings.object]),
  boxes: (settings) => boxesRead(settings, [settings.mask, settings.object]),
  partner: "other-class",
  async make(image, { settings, side, box, partner }) {
    const { mask, object, by } = settings;
    const [own, other] = [{ side, box }, await partner()];
    const onto = await backgroundOf(own, async () => image, settings, [mask, object]);
    const put = async (
      name: string,
      from: Pixels,
      beside: Pick<ViewPartner, "side" | "box">,
      whose: string,
    ) => {
      if (pasteMasked(onto, from, await regionOf(beside, by, name, from)) === 0)
        throw emptyRegion(by, [name], whose);
    };
    await put(object, await other.pixels(), other, "the partner");
    await put(mask, image, own, "the image");
    return onto;
  },
});
