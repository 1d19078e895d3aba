/** What lies under a mask, in images of one size. */

import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { inside } from "../images/compose.ts";

/** Paints over `onto` what lies under the mask in `from`, in place; how many pixels that were. */
export function pasteMasked(onto: Pixels, from: Pixels, mask: Pixels): number {
  const { channels } = onto;
  let pasted = 0;
  for (let pixel = 0; pixel < onto.height * onto.width; pixel++) {
    if (mask.data[pixel * mask.channels]! <= inside) continue;
    for (let c = 0; c < channels; c++) onto.data[pixel * channels + c] = from.data[pixel * channels + c]!;
    pasted++;
  }
  return pasted;
}

/** A mask without anything would leave an image of nothing that its label says. */
export function emptyMask(names: readonly string[], whose: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${names.map((name) => `"${name}"`).join(" and ")} of ${whose} ${names.length === 1 ? "is an empty mask" : "are empty masks"}`,
    expected: "white where the thing is",
    todo: "leave such images out of the training split, or choose another view",
  });
}
