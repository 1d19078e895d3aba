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

/** A thing that is nowhere would leave an image of nothing that its label says. */
export function emptyRegion(by: "masks" | "boxes", names: readonly string[], whose: string): CuelabError {
  const named = names.map((name) => `"${name}"`).join(" and ");
  const several = names.length > 1;
  const are = several ? "are empty masks" : "is an empty mask";
  return new CuelabError({
    kind: "input",
    what: by === "masks" ? `${named} of ${whose} ${are}` : `${whose} has no box ${named}`,
    expected: by === "masks" ? "white where the thing is" : "a box around the thing",
    todo: "leave such images out of the training split, or choose another view",
  });
}
