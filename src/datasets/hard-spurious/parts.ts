/** The parts that images are composed of: objects cut out, and backgrounds without them. Made once and kept while they fit. */

import { ByteCache } from "../../core/byte-cache.ts";
import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { type Cutout, cutByBox, cutByMask } from "../../images/compose.ts";
import { createInpaint, type Inpaint, maskOfBoxes } from "../../images/inpaint/index.ts";
import { centreCrop, resizeBilinear, resizeShorter } from "../../images/resize.ts";
import type { Photograph, Photographs } from "./photographs.ts";
import { shorterSide } from "./placement.ts";
import type { HardSpuriousSettings } from "./settings.ts";

/** All by the number of a photograph. */
export interface HardSpuriousParts {
  /** The object at its own size, cut by its box or its mask. */
  object(photograph: number): Promise<Cutout>;
  /** Squeezed to the size of the images, without the object. */
  background(photograph: number): Promise<Pixels>;
  /** Fitted into the images. */
  whole(photograph: number): Promise<Pixels>;
  /** Where the object is in `whole`: 255, and 0 elsewhere. */
  wholeMask(photograph: number): Promise<Pixels>;
}

/** Bytes of objects, and of backgrounds, that a thread keeps; a drawn object at 64 pixels takes a few thousand. */
const mostBytes = 96e6;
/** Photographs whose parts were just asked for. */
const mostPhotographBytes = 16e6;

export async function createParts(
  photographs: Photographs,
  settings: HardSpuriousSettings,
): Promise<HardSpuriousParts> {
  const { cut, inpaint: method, dilation, radius, size, content } = settings;
  const hole = holeOf(settings);
  const inpaint =
    method === "given" || method === "exact" ? undefined : await createInpaint({ method, dilation, radius });
  const read = new ByteCache(
    (photograph) => photographs.read(photograph),
    ({ image, mask, background }) => image.data.length + (mask?.length ?? 0) + (background?.data.length ?? 0),
    mostPhotographBytes,
  );
  const squeeze = (pixels: Pixels) => resizeBilinear(pixels, size, size);
  const clean = (pixels: Pixels) => centreCrop(resizeShorter(pixels, shorterSide(size)), size, size);
  const fit = content === "clean" ? clean : squeeze;
  const objects = new ByteCache(
    async (photograph) => cutObject(await read.get(photograph), cut, photographs.describe(photograph)),
    ({ data, mask }) => data.length + mask.length,
    mostBytes,
  );
  const backgrounds = new ByteCache(
    async (photograph) => {
      const taken = await read.get(photograph);
      try {
        return squeeze(withoutObject(taken, inpaint, hole));
      } catch (cause) {
        if (!(cause instanceof CuelabError)) throw cause;
        throw new CuelabError({ ...cause.parts, where: photographs.describe(photograph) });
      }
    },
    ({ data }) => data.length,
    mostBytes,
  );
  return {
    object: (photograph) => objects.get(photograph),
    background: (photograph) => backgrounds.get(photograph),
    whole: async (photograph) => fit((await read.get(photograph)).image),
    wholeMask: async (photograph) => {
      const { image, ...rest } = await read.get(photograph);
      const data = rest.mask ?? maskOfBoxes(rest.boxes, image.width, image.height);
      const soft = fit({ data, height: image.height, width: image.width, channels: 1 });
      return { ...soft, data: soft.data.map((value) => (value > 127 ? 255 : 0)) };
    },
  };
}

/** Tiles have hard edges: around a mask they would draw the outline of the object that they are to hide. */
export function holeOf({ hole, inpaint }: HardSpuriousSettings): "mask" | "box" {
  return hole ?? (inpaint === "tiled" ? "box" : "mask");
}

function cutObject(
  { image, box, mask }: Photograph,
  cut: HardSpuriousSettings["cut"],
  where: string,
): Cutout {
  if (cut === "box") return cutByBox(image, box);
  // Of the object's own box: the mask may show others of its class.
  const own = maskOfBoxes([box], image.width, image.height);
  const cutout =
    mask &&
    cutByMask(
      image,
      own.map((value, i) => value & mask[i]!),
    );
  if (cutout !== undefined) return cutout;
  throw new CuelabError({
    kind: "input",
    what: mask === undefined ? "a photograph has no mask" : "a mask is empty within the object's box",
    where,
    todo: "cut by box, or leave the photograph out",
  });
}

function withoutObject(
  { image, boxes, mask, background }: Photograph,
  inpaint: Inpaint | undefined,
  hole: "mask" | "box",
): Pixels {
  if (inpaint === undefined) return background!;
  const removed =
    hole === "mask" && mask !== undefined ? mask : maskOfBoxes(boxes, image.width, image.height);
  return inpaint(image, removed);
}
