/** The images of an audit of a model: which of a dataset they are, what is beside them, and who can be a partner of whom. */

import type { Box } from "../../core/box.ts";
import type { Dataset, ImageShape, Pixels } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import { inside } from "../../images/compose.ts";
import { maskOfBoxes } from "../../images/inpaint/index.ts";
import { type PictureSteps, picturePrepared } from "../../images/model-picture.ts";
import { behind } from "../../training/asked/things/things.ts";
import type { ChangeContext, ChangePartner, PartnerClass } from "./interventions/intervention.ts";

/** Where the main thing is told to be: a side image of this name, or a box. */
export type ThingSource = { mask: string } | { box: string };

export interface AskedImages {
  /** Its images are as the model takes them. */
  dataset: Dataset;
  /** What is beside the images before they were brought to that size, and what was done to them. */
  beside: BesideImages;
  /** Places in the dataset, ascending. */
  indices: Uint32Array;
  thing: ThingSource | undefined;
  seed: number;
}

export interface BesideImages {
  sideImages?: Dataset["sideImages"];
  boxes?: Dataset["boxes"];
  /** Of the images that masks and boxes go with; null where they are of several sizes. */
  shape: ImageShape | null;
  /** Of one image, where they are of several sizes. */
  sizeOf?: (index: number) => Promise<ImageShape>;
  /** Undefined where they are as they were. */
  picture: PictureSteps | undefined;
}

/** A sample without replacement, ascending; all where there are no more. */
export function sampledIndices(among: Uint32Array, most: number, seed: number): Uint32Array {
  if (among.length <= most) return among;
  const order = among.slice();
  const random = randomStream(seed, "audit/images").at(0);
  for (let k = 0; k < most; k++) {
    const drawn = k + random.integer(order.length - k);
    [order[k], order[drawn]] = [order[drawn]!, order[k]!];
  }
  return order.subarray(0, most).sort();
}

/** What changes of one image may read. `classes` are codes by place in the sample, by which partners are chosen. */
export function contextsOf(
  { dataset, beside, indices, thing, seed }: AskedImages,
  classes: ArrayLike<number>,
) {
  const members = new Map<number, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const own = members.get(classes[i]!);
    if (own === undefined) members.set(classes[i]!, [i]);
    else own.push(i);
  }
  const thingAt = (index: number) => thingOf(beside, thing, index);
  const filled = thing && beside.sideImages?.[behind("mask" in thing ? thing.mask : thing.box)];
  const behindAt = (index: number) =>
    filled && { behind: async () => prepared(await filled.pixels(index), beside) };
  /** Drawn by class first, so that a class with few images is a partner as often as any other. */
  const partnerOf = (kind: PartnerClass, i: number, stream: string): number | undefined => {
    const random = randomStream(seed, `audit/partner/${stream}/${kind}`).at(indices[i]!);
    const own = members.get(classes[i]!)!;
    if (kind === "same") {
      if (own.length < 2) return undefined;
      const drawn = random.integer(own.length - 1);
      return own[drawn]! === i ? own.at(-1) : own[drawn];
    }
    const others = [...members.keys()].filter((code) => code !== classes[i]);
    if (others.length === 0) return undefined;
    const among = members.get(others[random.integer(others.length)]!)!;
    return among[random.integer(among.length)];
  };
  const partnerAt = (place: number): ChangePartner => ({
    pixels: async () => dataset.images.pixels(indices[place]!),
    thing: () => thingAt(indices[place]!),
    ...behindAt(indices[place]!),
  });
  return (i: number, stream: string): ChangeContext => ({
    random: randomStream(seed, `audit/change/${stream}`).at(indices[i]!),
    thing: () => thingAt(indices[i]!),
    ...behindAt(indices[i]!),
    side: async (name) => prepared(await beside.sideImages![name]!.pixels(indices[i]!), beside),
    partner: async (kind) => {
      const place = partnerOf(kind, i, stream);
      return place === undefined ? undefined : partnerAt(place);
    },
  });
}

async function thingOf(
  beside: BesideImages,
  source: ThingSource | undefined,
  index: number,
): Promise<Pixels | undefined> {
  if (source === undefined) return undefined;
  const found =
    "mask" in source
      ? oneChannel(await beside.sideImages![source.mask]!.pixels(index))
      : boxedMask(await beside.boxes![source.box]!.at(index), beside.shape ?? (await beside.sizeOf!(index)));
  if (found === undefined) return undefined;
  const mask = oneChannel(prepared(found, beside));
  return mask.data.some((value) => value > inside) ? mask : undefined;
}

/** As the images were, so that it still fits them. */
function prepared(picture: Pixels, { picture: steps }: BesideImages): Pixels {
  return steps === undefined ? picture : picturePrepared(picture, steps);
}

function oneChannel({ data, height, width, channels }: Pixels): Pixels {
  if (channels === 1) return { data, height, width, channels };
  return { data: data.filter((_, at) => at % channels === 0), height, width, channels: 1 };
}

function boxedMask(
  box: Box | undefined,
  { height, width }: Pick<ImageShape, "height" | "width">,
): Pixels | undefined {
  return box && { data: maskOfBoxes([box], width, height), height, width, channels: 1 };
}
