/**
 * The thing smaller and elsewhere: the twelve cells of "Corner Cases" (three sizes, in the middle or in the top right corner, on
 * its own background or on one of another class), and the other corners.
 */

import type { Pixels } from "../../../core/dataset.ts";
import {
  boxOfMask,
  cutByMask,
  paste,
  pasteMask,
  resizeCutout,
  resizeLongest,
} from "../../../images/compose.ts";
import type { ChangeContext, Intervention, Variant } from "./intervention.ts";
import { backgroundAlone, inFrontOf, tiledUnder, withoutThing } from "./surroundings.ts";

/** Of the free space above and to the left of the thing, how much. */
const corners = {
  middle: [0.5, 0.5],
  "top right": [0, 1],
  "top left": [0, 0],
  "bottom left": [1, 0],
  "bottom right": [1, 1],
} as const;

type ThingPlace = keyof typeof corners;

const ofThePaper: readonly ThingPlace[] = ["middle", "top right"];

export const objectMoved: Intervention = {
  name: "object-moved",
  description:
    "the thing smaller or larger, in the middle or in a corner, its own place filled in or tiled over",
  control:
    "on its own background: the thing pasted again in place, as blurred by the change of size, and the background tiled again where it " +
    "would have gone; on another's: the same cell on the background of another image of its own class",
  needs: ["thing", "colour"],
  variants: ({ sizes }) =>
    (Object.keys(corners) as ThingPlace[]).flatMap((corner) =>
      sizes.flatMap((size): Variant[] => [
        onOwn(size, corner),
        ...(ofThePaper.includes(corner) ? [onAnother(size, corner)] : []),
      ]),
    ),
};

const named = (size: number, corner: ThingPlace) => `${Math.round(100 * size)}%, ${corner}`;

function onOwn(size: number, corner: ThingPlace): Variant {
  return {
    name: named(size, corner),
    change: async (image, { thing, behind }) => {
      const mask = await thing();
      const around = mask && (await withoutThing(image, { thing, behind }));
      return around && placed(around, image, mask, size, corner)?.picture;
    },
    control: async (image, { thing, behind }) => {
      const mask = await thing();
      const cell = mask && placed(image, image, mask, size, corner);
      if (mask === undefined || cell === undefined) return undefined;
      const both = mask.data.map((value, at) => Math.max(value, cell.mask.data[at]!));
      const around =
        behind === undefined
          ? await tiledUnder(image, { ...mask, data: both })
          : await tiledUnder(await behind(), cell.mask);
      if (around === undefined) return undefined;
      const cutout = cutByMask(image, mask.data)!;
      // A thing that does not get smaller is blurred a little all the same: else none of its pixels would change.
      const longest = Math.max(cutout.height, cutout.width);
      const { height, width } = resizeLongest(cutout, Math.max(1, Math.min(cell.side, longest - 1)));
      const again = resizeCutout(resizeCutout(cutout, height, width), cutout.height, cutout.width);
      const blurred = { ...image, data: Uint8Array.from(image.data) };
      paste(blurred, { ...again, mask: cutout.mask }, cell.from.top, cell.from.left);
      return inFrontOf(around, blurred, mask);
    },
  };
}

function onAnother(size: number, corner: ThingPlace): Variant {
  const before = async (image: Pixels, { thing, partner }: ChangeContext, kind: "same" | "other") => {
    const mask = await thing();
    const around = mask && (await backgroundAlone(await partner(kind)));
    return around && placed(around, image, mask, size, corner)?.picture;
  };
  return {
    name: `${named(size, corner)}, on another's`,
    change: (image, at) => before(image, at, "other"),
    control: (image, at) => before(image, at, "same"),
  };
}

/** The thing on a background, where its mask then is, and where it was; its longest side is a part of the image's shorter one. */
function placed(around: Pixels, image: Pixels, mask: Pixels, size: number, corner: ThingPlace) {
  const cutout = cutByMask(image, mask.data);
  if (cutout === undefined) return undefined;
  const side = Math.max(1, Math.round(size * Math.min(image.height, image.width)));
  const small = resizeLongest(cutout, side);
  const [down, across] = corners[corner];
  const top = Math.round(down * (image.height - small.height));
  const left = Math.round(across * (image.width - small.width));
  const picture = { ...around, data: Uint8Array.from(around.data) };
  paste(picture, small, top, left);
  const covered = { ...mask, data: new Uint8Array(mask.data.length) };
  pasteMask(covered, small, top, left);
  return { picture, mask: covered, side, from: boxOfMask(mask.data, mask.width)! };
}
