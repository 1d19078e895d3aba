/** The ways to change a dataset: each changes labels, splits, attributes, images, side images and boxes along with their recipe. */

import { attributeRecord } from "../core/attribute-record.ts";
import type { Boxes, Dataset, ImageSet, ImageShape, SideImages, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type Inputs, withOrigin } from "./recipe.ts";
import { applySteps, type ImageStep, movesPixels, shapeAfter } from "./steps.ts";

/**
 * Some images of a dataset, in the order in which they are named, and as often: with their labels, splits, attributes, side
 * images and boxes. The provenance stays that of the whole.
 */
export function subset(dataset: Dataset, indices: ArrayLike<number>): Dataset {
  checkIndices(indices, dataset);
  const order = shared(indices);
  const pick = (values: Uint16Array) => Uint16Array.from(order, (i) => values[i]!);
  const { names, values } = dataset.splits;
  return {
    ...dataset,
    ...someInputs(dataset, order),
    labels: pick(dataset.labels),
    splits: { names, values: Uint8Array.from(order, (i) => values[i]!) },
    attributes: attributeRecord(
      Object.entries(dataset.attributes).map(([name, attribute]) => [
        name,
        { ...attribute, values: pick(attribute.values) },
      ]),
    ),
  };
}

/** The same dataset with its images ordered by split, keeping their order within each. */
export function inSplitOrder(dataset: Dataset): Dataset {
  const { values } = dataset.splits;
  if (values.every((split, i) => i === 0 || split >= values[i - 1]!)) return dataset;
  return subset(
    dataset,
    Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b),
  );
}

/**
 * The same dataset with every image changed when it is asked for. Masks, backgrounds and boxes are left out where steps
 * move pixels, since they belong to another picture then.
 */
export function withSteps(dataset: Dataset, steps: readonly ImageStep[]): Dataset {
  const { sideImages, boxes, ...rest } = dataset;
  return {
    ...rest,
    images: changedImages(dataset.images, steps),
    ...fitting({ ...(sideImages && { sideImages }), ...(boxes && { boxes }) }, steps),
  };
}

/** What still goes with images that these steps have changed. */
export function fitting(beside: Omit<Inputs, "images">, steps: readonly ImageStep[]): Omit<Inputs, "images"> {
  return steps.some(movesPixels) ? {} : beside;
}

/** `subset`, of what is asked for by index. */
export function someInputs({ images, sideImages, boxes }: Inputs, indices: Uint32Array): Inputs {
  return {
    images: someImages(images, indices),
    ...(sideImages && { sideImages: mapValues(sideImages, (side) => someSides(side, indices)) }),
    ...(boxes && { boxes: mapValues(boxes, (own) => someBoxes(own, indices)) }),
  };
}

/** `withSteps`, of images alone. */
export function changedImages(images: ImageSet, steps: readonly ImageStep[]): ImageSet {
  return withOrigin<ImageSet>(
    {
      count: images.count,
      shape: shapeAfter(images.shape, steps),
      costly: true,
      pixels: async (index) => applySteps(await images.pixels(index), steps, index),
      ...restOf(images),
    },
    { kind: "changed", of: images, steps },
  );
}

/** The same images, of which it is known now which shape they share, if they do. */
export function sizedImages(images: ImageSet, shape: ImageShape | null): ImageSet {
  return withOrigin<ImageSet>(
    {
      count: images.count,
      shape,
      ...(images.costly && { costly: true }),
      pixels: (index) => images.pixels(index),
      ...restOf(images),
    },
    { kind: "sized", of: images, shape },
  );
}

/** Stored images as people see them: an object of its own functions, which may be spread, and replaced one by one. */
export function asImageSet(stored: StoredImages): ImageSet {
  return withOrigin<ImageSet>(
    {
      count: stored.count,
      shape: stored.shape,
      // Files take so long to decode that those which fit are better kept.
      ...((stored.costly || stored.encoded || stored.path) && { costly: true }),
      pixels: (index) => stored.pixels(index),
      ...restOf(stored),
    },
    { kind: "files", files: stored },
  );
}

function someImages(images: ImageSet, indices: Uint32Array): ImageSet {
  return withOrigin<ImageSet>(
    {
      count: indices.length,
      shape: images.shape,
      ...(images.costly && { costly: true }),
      pixels: (index) => images.pixels(indices[index]!),
      ...restOf(images, (index) => indices[index]!),
    },
    { kind: "some", of: images, indices },
  );
}

function someSides(side: SideImages, indices: Uint32Array): SideImages {
  const { shape, description } = side;
  const pixels = (index: number) => side.pixels(indices[index]!);
  return withOrigin({ shape, description, pixels }, { kind: "some", of: side, indices });
}

function someBoxes(boxes: Boxes, indices: Uint32Array): Boxes {
  const at = (index: number) => boxes.at(indices[index]!);
  const { all } = boxes;
  const some = all && { all: (index: number) => all(indices[index]!) };
  return withOrigin({ description: boxes.description, at, ...some }, { kind: "some", of: boxes, indices });
}

/** What images are called, and how they are closed. */
function restOf(
  images: ImageSet,
  at = (index: number) => index,
): Pick<ImageSet, "describe" | "file" | "source" | "close"> {
  return {
    describe: (index) => images.describe(at(index)),
    ...(images.file && { file: (index: number) => images.file!(at(index)) }),
    ...(images.source && { source: (index: number) => images.source!(at(index)) }),
    ...(images.close && { close: () => images.close!() }),
  };
}

/** A copy that threads share, and that nobody else writes to. */
function shared(indices: ArrayLike<number>): Uint32Array {
  const order = new Uint32Array(new SharedArrayBuffer(4 * indices.length));
  order.set(indices);
  return order;
}

function checkIndices(indices: ArrayLike<number>, { name, images: { count } }: Dataset): void {
  const isThere = (index: number) => Number.isInteger(index) && index >= 0 && index < count;
  const outside = Array.prototype.find.call(indices, (index: number) => !isThere(index)) as
    | number
    | undefined;
  if (outside === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: "a subset names an image that is not there",
    where: name,
    expected: count === 0 ? "none: the dataset has no images" : `indices from 0 to ${count - 1}`,
    got: String(outside),
  });
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
