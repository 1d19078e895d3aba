/** A thing and what is around it: the parts that interventions on backgrounds and objects exchange. */

import type { Pixels } from "../../../core/dataset.ts";
import { inside } from "../../../images/compose.ts";
import { createInpaint } from "../../../images/inpaint/index.ts";
import type { ChangeContext, ChangePartner } from "./intervention.ts";

const tiles = createInpaint({ method: "tiled", dilation: 1 });

/** What the mask holds, from the image; all else from `around`. */
export function inFrontOf(around: Pixels, image: Pixels, mask: Pixels): Pixels {
  const { channels } = image;
  const data = Uint8Array.from(around.data);
  for (let pixel = 0; pixel < mask.data.length; pixel++)
    if (mask.data[pixel]! > inside)
      for (let c = 0; c < channels; c++) data[pixel * channels + c] = image.data[pixel * channels + c]!;
  return { ...image, data };
}

/** With the largest rectangle outside of the mask repeated under it; undefined where nothing lies outside. */
export async function tiledUnder(image: Pixels, mask: Pixels): Promise<Pixels | undefined> {
  if (mask.data.every((value) => value > inside)) return undefined;
  const hole = mask.data.map((value) => (value > inside ? 255 : 0));
  return (await tiles)(image, hole);
}

/** As somebody has filled the hole, or tiled over; undefined where the thing is nowhere, or all. */
export async function withoutThing(
  image: Pixels,
  { thing, behind }: Pick<ChangeContext, "thing" | "behind">,
): Promise<Pixels | undefined> {
  const mask = await thing();
  if (mask === undefined || mask.data.every((value) => value > inside)) return undefined;
  return behind === undefined ? tiledUnder(image, mask) : behind();
}

/** The thing as it is, before its own background's largest rectangle, repeated over all that is around it. */
export async function tiledAround(image: Pixels, mask: Pixels): Promise<Pixels | undefined> {
  const free = await tiledUnder(image, mask);
  if (free === undefined) return undefined;
  const { height, width } = image;
  // Half of the image further, so that every pixel changes its place and what was there is still seen.
  const shifted = wrapped(free, Math.floor(height / 2), Math.floor(width / 2));
  return inFrontOf(shifted, image, mask);
}

/** The thing before the background of another image, which is without its own thing. */
export async function beforeAnother(
  image: Pixels,
  { thing }: Pick<ChangeContext, "thing">,
  other: ChangePartner | undefined,
): Promise<Pixels | undefined> {
  const mask = await thing();
  if (mask === undefined) return undefined;
  const around = await backgroundAlone(other);
  return around && inFrontOf(around, image, mask);
}

export async function backgroundAlone(other: ChangePartner | undefined): Promise<Pixels | undefined> {
  return other && withoutThing(await other.pixels(), other);
}

function wrapped(image: Pixels, down: number, across: number): Pixels {
  const { data, height, width, channels } = image;
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (((y + down) % height) * width + ((x + across) % width)) * channels;
      result.set(data.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { ...image, data: result };
}
