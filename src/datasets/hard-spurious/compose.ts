/** The images: an object of one photograph, resized, at its place on the background of the same or another. */

import type { Box } from "../../core/box.ts";
import type { Boxes, Dataset, Pixels, SideImages } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import { paste, pasteMask, resizeCutout } from "../../images/compose.ts";
import type { PlacedGroup } from "./groups.ts";
import type { HardSpuriousParts } from "./parts.ts";
import type { Photographs } from "./photographs.ts";
import { boxInImage, objectExtent, placeObject } from "./placement.ts";
import type { HardSpuriousPlan } from "./plan.ts";
import type { HardSpuriousSettings } from "./settings.ts";

/** Pixels and what goes with them, by the number of an image. */
export interface Pictures extends Required<Pick<Dataset, "sideImages" | "boxes">> {
  pixels: (index: number) => Promise<Pixels>;
}

export function composedPictures(
  plan: HardSpuriousPlan,
  groups: readonly PlacedGroup[],
  parts: HardSpuriousParts,
  photographs: Photographs,
  settings: HardSpuriousSettings,
  seed: number,
): Pictures {
  const { size, aspect, cut } = settings;
  const corner = settings.corner ?? (aspect === "preserve" ? "random" : "top-right");
  const chance = randomStream(seed, "hard-spurious/place");
  const place = (index: number, object: { height: number; width: number }): Box => {
    const group = groups[plan.groups[index]!]!;
    const extent = objectExtent(object, group.size, aspect, size);
    return placeObject(extent, group.position, corner, size, chance.at(index));
  };
  const boxAt = async (index: number): Promise<Box> => {
    const photograph = plan.photographs[index]!;
    // A square's place is known without drawing, and a box's shape without cutting.
    if (aspect === "square") return place(index, { height: 1, width: 1 });
    return place(
      index,
      cut === "box" ? (await photographs.place(photograph)).box : await parts.object(photograph),
    );
  };
  const resized = async (index: number) => {
    const object = await parts.object(plan.photographs[index]!);
    const box = place(index, object);
    return { box, object: resizeCutout(object, box.height, box.width) };
  };
  return {
    pixels: async (index) => {
      const { box, object } = await resized(index);
      const background = await parts.background(plan.backgrounds[index]!);
      const image = { ...background, data: background.data.slice() };
      paste(image, object, box.top, box.left);
      return image;
    },
    sideImages: {
      mask: maskImages(size, async (index) => {
        const { box, object } = await resized(index);
        const mask = { data: new Uint8Array(size * size), height: size, width: size, channels: 1 };
        pasteMask(mask, object, box.top, box.left);
        return mask;
      }),
      background: backgroundImages(plan, size, parts),
    },
    boxes: { object: { description: "the object", at: boxAt } },
  };
}

/** The photographs as they were, or in some splits their backgrounds alone. */
export function plainPictures(
  plan: HardSpuriousPlan,
  parts: HardSpuriousParts,
  photographs: Photographs,
  { content, size }: HardSpuriousSettings,
): Pictures {
  const emptied = (index: number) =>
    content === "backgrounds" || (content === "background-test" && plan.splits[index] === 2);
  const fit = content === "clean" ? "middle" : "squeeze";
  const object: Boxes = {
    description: "the object, or in backgrounds alone the place where it was",
    at: async (index) => {
      const { box, ...photograph } = await photographs.place(plan.photographs[index]!);
      return boxInImage(box, photograph, size, fit);
    },
    all: async (index) => {
      const { boxes, ...photograph } = await photographs.place(plan.photographs[index]!);
      return boxes.flatMap((box) => boxInImage(box, photograph, size, fit) ?? []);
    },
  };
  return {
    pixels: (index) =>
      emptied(index) ? parts.background(plan.photographs[index]!) : parts.whole(plan.photographs[index]!),
    sideImages: {
      mask: maskImages(size, (index) => parts.wholeMask(plan.photographs[index]!)),
      background: backgroundImages(plan, size, parts),
    },
    boxes: { object },
  };
}

function maskImages(size: number, pixels: SideImages["pixels"]): SideImages {
  return {
    shape: { height: size, width: size, channels: 1 },
    description: "the object: 255, and 0 elsewhere",
    pixels,
  };
}

function backgroundImages(
  { backgrounds }: HardSpuriousPlan,
  size: number,
  parts: HardSpuriousParts,
): SideImages {
  return {
    shape: { height: size, width: size, channels: 3 },
    description: "the inpainted background without the object",
    pixels: (index) => parts.background(backgrounds[index]!),
  };
}
