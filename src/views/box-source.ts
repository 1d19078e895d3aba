/** Where a view finds the box of a thing: among the dataset's boxes, or around what a mask holds. */

import { z } from "zod";
import type { Box } from "../core/box.ts";
import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { inside } from "../images/compose.ts";
import { emptyRegion } from "./masks.ts";
import type { ViewContext } from "./view.ts";

export const boxSource = {
  from: z.enum(["box", "mask"]).default("box").describe("a box of the dataset, or the box around a mask"),
  name: z.string().min(1).default("car").describe("name of the box, or of the mask"),
};

export interface BoxSource {
  from: "box" | "mask";
  name: string;
}

/** What a view with such settings declares. */
export const boxNeeds = {
  boxes: ({ from, name }: BoxSource) => (from === "box" ? [name] : []),
  sides: ({ from, name }: BoxSource) => (from === "mask" ? [name] : []),
};

export async function boxOf({ settings: { from, name }, box, side }: ViewContext<BoxSource>): Promise<Box> {
  const found = from === "box" ? await box(name) : around(await side(name));
  if (found !== undefined) return found;
  if (from === "mask") throw emptyRegion("masks", [name], "the image");
  throw new CuelabError({
    kind: "input",
    what: `the image has no box "${name}"`,
    expected: "a box of the thing in every training image",
    todo: "leave such images out of the training split, or choose another view",
  });
}

/** The smallest box that holds all of a mask; undefined where it is empty. */
function around({ data, height, width, channels }: Pixels): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * channels]! <= inside) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}
