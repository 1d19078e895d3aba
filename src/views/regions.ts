/** Parts of an image that a view keeps or replaces, given by masks or by boxes, and what is behind them. */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import { inside } from "../images/compose.ts";
import { createInpaint, maskOfBoxes } from "../images/inpaint/index.ts";
import type { ViewPartner } from "./view.ts";

/** Datasets with boxes alone can be used too; what else lies in the box then stays with the thing. */
export const regionsBy = z
  .enum(["masks", "boxes"])
  .default("masks")
  .describe("whether things are named by their masks (side images) or by their boxes");

/** The word for a background that no side image shows. */
const tiled = "tiled";

export const backgroundSide = z
  .string()
  .min(1)
  .default("bg_only")
  .describe(`side image that is the background alone, or ${tiled}: made of the image itself`);

interface RegionSettings {
  by: "masks" | "boxes";
  background: string;
}

/** Side images that a view with these settings reads, and boxes. */
export function sidesRead({ by, background }: RegionSettings, names: readonly string[]): string[] {
  return [...(by === "masks" ? names : []), ...(background === tiled ? [] : [background])];
}

export function boxesRead({ by }: RegionSettings, names: readonly string[]): readonly string[] {
  return by === "boxes" ? names : [];
}

type Beside = Pick<ViewPartner, "side" | "box">;

/** White where the thing is. */
export async function regionOf(
  { side, box }: Beside,
  by: RegionSettings["by"],
  name: string,
  { height, width }: Pixels,
): Promise<Pixels> {
  if (by === "masks") return side(name);
  const found = await box(name);
  return { data: maskOfBoxes(found === undefined ? [] : [found], width, height), height, width, channels: 1 };
}

/**
 * The background alone: a side image, or the image with its largest rectangle that shows none of the things repeated over
 * them, as the tiled backgrounds of Xiao et al. 2020.
 */
export async function backgroundOf(
  beside: Beside,
  pixels: () => Promise<Pixels>,
  { by, background }: RegionSettings,
  names: readonly string[],
): Promise<Pixels> {
  if (background !== tiled) return beside.side(background);
  const image = await pixels();
  const hole = new Uint8Array(image.height * image.width);
  for (const name of names) {
    const { data, channels } = await regionOf(beside, by, name, image);
    for (let at = 0; at < hole.length; at++)
      hole[at] = Math.max(hole[at]!, data[at * channels]! > inside ? 255 : 0);
  }
  return (await tiles)(image, hole);
}

const tiles = createInpaint({ method: "tiled", dilation: 1 });
