/** The images of an audit of a model: which of a dataset they are, what is beside them, and who can be a partner of whom. */

import type { Dataset, Pixels } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import { maskOfBoxes } from "../../images/inpaint/index.ts";
import type { ChangeContext, ChangePartner, PartnerClass } from "./interventions/intervention.ts";

/** Where the main thing is told to be: a side image of this name, or a box. */
export type ThingSource = { mask: string } | { box: string };

export interface AskedImages {
  dataset: Dataset;
  /** Places in the dataset, ascending. */
  indices: Uint32Array;
  thing: ThingSource | undefined;
  seed: number;
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
export function contextsOf({ dataset, indices, thing, seed }: AskedImages, classes: ArrayLike<number>) {
  const members = new Map<number, number[]>();
  for (let i = 0; i < indices.length; i++) {
    const own = members.get(classes[i]!);
    if (own === undefined) members.set(classes[i]!, [i]);
    else own.push(i);
  }
  const thingAt = (index: number) => thingOf(dataset, thing, index);
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
  });
  return (i: number, stream: string): ChangeContext => ({
    random: randomStream(seed, `audit/change/${stream}`).at(indices[i]!),
    thing: () => thingAt(indices[i]!),
    side: async (name) => dataset.sideImages![name]!.pixels(indices[i]!),
    partner: async (kind) => {
      const place = partnerOf(kind, i, stream);
      return place === undefined ? undefined : partnerAt(place);
    },
  });
}

async function thingOf(
  { sideImages, boxes, images }: Dataset,
  source: ThingSource | undefined,
  index: number,
): Promise<Pixels | undefined> {
  if (source === undefined) return undefined;
  const found =
    "mask" in source
      ? await sideImages![source.mask]!.pixels(index)
      : await boxedMask(await boxes![source.box]!.at(index), images.shape!);
  const { height, width, channels } = found ?? {};
  if (found === undefined || height === undefined || width === undefined) return undefined;
  const data =
    channels === 1 ? found.data : found.data.filter((_, at) => at % channels! === 0);
  return data.some((value) => value > 127) ? { data, height, width, channels: 1 } : undefined;
}

async function boxedMask(
  box: Parameters<typeof maskOfBoxes>[0][number] | undefined,
  { height, width }: { height: number; width: number },
): Promise<Pixels | undefined> {
  return box && { data: maskOfBoxes([box], width, height), height, width, channels: 1 };
}
