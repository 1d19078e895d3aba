/** The images that a model is asked about, as bytes of its size, and where masks and boxes lie in them. */

import type { Dataset, ImageShape, Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { groupsOf, spelled } from "../../core/grouping.ts";
import { didYouMean } from "../../core/nearest.ts";
import { randomStream } from "../../core/random.ts";
import { type PictureSteps, picturePrepared } from "../../images/model-picture.ts";
import { type Region, regionOfBox } from "../../saliency/regions.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";

export interface LookedImages {
  /** Places in the dataset. */
  indices: Uint32Array;
  /** Of each image the name of its group. */
  groups: readonly string[];
  labels: Uint16Array;
}

export interface ImageChoice {
  split: string | undefined;
  images: number;
  groups: readonly string[];
  seed: number;
}

/** By turns one of each group, so that rare ones are seen, too. */
export function chooseImages(
  dataset: Dataset,
  { split, images, groups: by, seed }: ImageChoice,
): LookedImages & { split: string } {
  const chosen = chosenSplit(dataset, split);
  const code = dataset.splits.names.indexOf(chosen);
  const all = Uint32Array.from(dataset.splits.values.keys()).filter((i) => dataset.splits.values[i] === code);
  randomStream(seed, "looks/images").at(0).shuffle(all);
  const turns = groupsOf(dataset, { by: by.length > 0 ? by : ["class"] }, all);
  const members = Array.from(turns.sizes, (_, group) => turns.members(group));
  const picked: number[] = [];
  for (let turn = 0; picked.length < Math.min(images, all.length); turn++)
    for (const rows of members)
      if (turn < rows.length && picked.length < images) picked.push(all[rows[turn]!]!);
  const indices = Uint32Array.from(picked).sort();
  const groups = groupsOf(dataset, { by }, indices);
  return {
    split: chosen,
    indices,
    groups: Array.from(groups.codes, (group) => spelled(groups.group(group), "words")),
    labels: Uint16Array.from(indices, (i) => dataset.labels[i]!),
  };
}

function chosenSplit({ splits, name }: Dataset, split: string | undefined): string {
  const has = (code: number) => splits.values.includes(code);
  const found = split ?? (has(splits.names.indexOf("test")) ? "test" : splits.names.find((_, i) => has(i)));
  if (found !== undefined && has(splits.names.indexOf(found))) return found;
  throw new CuelabError({
    kind: "usage",
    what: split === undefined ? "there are no images" : `the data has no images in a split "${split}"`,
    where: name,
    expected: `one of: ${splits.names.filter((_, i) => has(i)).join(", ")}`,
  });
}

/** What is done to pictures before a model sees them is done to masks as well. */
export async function imageBytes(
  { dataset, steps, shape }: { dataset: Dataset; steps: PictureSteps | undefined; shape: ImageShape },
  indices: Uint32Array,
): Promise<Uint8Array> {
  const size = shape.height * shape.width * shape.channels;
  const bytes = new Uint8Array(indices.length * size);
  for (const [i, index] of indices.entries()) {
    const image = await dataset.images.pixels(index);
    const made = steps === undefined ? image : picturePrepared(image, steps);
    if (made.data.length !== size) throw otherShape(dataset.images.describe(index), made, shape);
    bytes.set(made.data, i * size);
  }
  return bytes;
}

export function regionNames(
  { sideImages = {}, boxes = {}, name }: Dataset,
  asked: readonly string[] | undefined,
): string[] {
  const masks = Object.keys(sideImages).filter((side) => sideImages[side]!.shape.channels === 1);
  const known = [...masks, ...Object.keys(boxes)];
  if (asked === undefined) return masks.length > 0 ? masks : Object.keys(boxes);
  const unknown = asked.find((region) => !known.includes(region));
  if (unknown === undefined) return [...asked];
  throw new CuelabError({
    kind: "usage",
    what: `the dataset has no mask and no box "${unknown}"`,
    where: name,
    expected: known.length === 0 ? "a dataset with masks or boxes" : `some of: ${known.join(", ")}`,
    ...didYouMean(unknown, known),
  });
}

/** Undefined where the thing is not in the image. */
export async function regionsOf(
  { dataset, steps, shape }: { dataset: Dataset; steps: PictureSteps | undefined; shape: ImageShape },
  name: string,
  indices: Uint32Array,
): Promise<(Region | undefined)[]> {
  const found: (Region | undefined)[] = [];
  for (const index of indices) {
    const mask = await maskAt(dataset, name, index);
    const made = steps === undefined ? mask : picturePrepared(mask, steps);
    if (made.height !== shape.height || made.width !== shape.width)
      throw otherShape(`${name} of ${dataset.images.describe(index)}`, made, shape);
    const region = new Uint8Array(made.height * made.width);
    for (let p = 0; p < region.length; p++) region[p] = made.data[p * made.channels]! > 127 ? 1 : 0;
    found.push(region.includes(1) ? region : undefined);
  }
  return found;
}

async function maskAt(
  { sideImages = {}, boxes = {}, images }: Dataset,
  name: string,
  index: number,
): Promise<Pixels> {
  const side = sideImages[name];
  if (side !== undefined) return side.pixels(index);
  const box = await boxes[name]!.at(index);
  const { height, width } = images.shape ?? (await images.pixels(index));
  const data =
    box === undefined
      ? new Uint8Array(height * width)
      : regionOfBox(box, { height, width }).map((on) => 255 * on);
  return { data, height, width, channels: 1 };
}

/** Of images as they are before a model sees them. */
export function stepsOf(
  { takes, preparation }: AskedModel,
  { images: { shape } }: Dataset,
): PictureSteps | undefined {
  if ("features" in takes)
    throw new CuelabError({ kind: "usage", what: "the model takes features, so that it looks at no places" });
  const { image } = takes;
  const fits =
    shape !== null &&
    shape.height === image.height &&
    shape.width === image.width &&
    shape.channels === image.channels;
  return fits ? undefined : preparation?.picture;
}

function otherShape(where: string, got: ImageShape, wanted: ImageShape): CuelabError {
  const text = ({ height, width, channels }: ImageShape) => `${height} × ${width}, ${channels} channels`;
  return new CuelabError({
    kind: "input",
    what: "a picture is of another size than the model takes",
    where,
    expected: text(wanted),
    got: text(got),
    todo: "make or convert the data in that size",
  });
}
