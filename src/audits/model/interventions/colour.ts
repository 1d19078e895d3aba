/** Other colours, or none. */

import type { Pixels } from "../../../core/dataset.ts";
import { rotateHue, saturate } from "../../../views/colours.ts";
import { shiftedLight } from "./controls.ts";
import type { Intervention, Variant } from "./intervention.ts";

const hues = [120, 240];

export const colour: Intervention = {
  name: "colour",
  description: "no colours, or hues turned by a third of the circle",
  control: "its own colours, all lighter or all darker by as much on average",
  needs: ["colour"],
  variants: () => [
    variant("grey", (image) => saturate(image, 0)),
    ...hues.map((angle) => variant(`hue ${angle}°`, (image) => rotateHue(image, (angle * Math.PI) / 180))),
  ],
};

function variant(name: string, inPlace: (image: Pixels) => void): Variant {
  return {
    name,
    change: (image) => {
      const changed = { ...image, data: Uint8Array.from(image.data) };
      inPlace(changed);
      return changed;
    },
    control: (image, { random }, changed) => shiftedLight(image, changed, random),
  };
}
