/** Squares of the image in another order: what is in them stays, how they lie together goes. */

import type { Pixels } from "../../../core/dataset.ts";
import type { Random } from "../../../core/random.ts";
import { mirroredPatches } from "./controls.ts";
import type { Intervention } from "./intervention.ts";

export const patchesShuffled: Intervention = {
  name: "patches-shuffled",
  description: "the image cut into squares which change places at random",
  control: "every square mirrored in its own place",
  needs: [],
  variants: ({ patches, shape: { height, width } }) =>
    patches.map((across) => {
      const side = Math.max(1, Math.floor(Math.min(height, width) / across));
      return {
        name: `${across} × ${across}`,
        change: (image, { random }) => shuffled(image, side, random),
        control: (image) => mirroredPatches(image, side),
      };
    }),
};

/** What does not fill a square, at the right and at the bottom, stays. */
function shuffled(image: Pixels, side: number, random: Random): Pixels {
  const { data, height, width, channels } = image;
  const [rows, columns] = [Math.floor(height / side), Math.floor(width / side)];
  const order = Uint32Array.from({ length: rows * columns }, (_, k) => k);
  random.shuffle(order);
  const result = Uint8Array.from(data);
  order.forEach((from, to) => {
    for (let y = 0; y < side; y++) {
      const start = (k: number) =>
        ((Math.floor(k / columns) * side + y) * width + (k % columns) * side) * channels;
      result.set(data.subarray(start(from), start(from) + side * channels), start(to));
    }
  });
  return { ...image, data: result };
}
