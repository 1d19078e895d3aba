/** What a model says of any images: the way from it and data to predictions. */

import { createHash } from "node:crypto";
import type { Dataset, ImageShape } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import type { PredictionsAbout, PredictionsOrigin } from "../core/predictions-about.ts";
import { recipeOf } from "../images/recipe.ts";
import type { Predictions } from "../runs/predictions.ts";
import type { AskedModel } from "./asked/asked-model.ts";
import { codesOfClasses } from "./asked/chosen-classes.ts";
import { BatchFeed } from "./batch-feed.ts";
import type { EvaluationHooks } from "./evaluator.ts";

export interface PredictOptions extends EvaluationHooks {
  /** By default all. */
  splits?: readonly string[] | undefined;
  batchSize?: number | undefined;
  threads?: number | undefined;
}

/** Batch by batch, from one image on, in the same batches wherever it begins; it ends early where it is asked to stop. */
export async function* predictedParts(
  model: AskedModel,
  dataset: Dataset,
  indices: Uint32Array,
  { batchSize = 64, threads = 2, first = 0, ...hooks }: PredictOptions & { first?: number } = {},
): AsyncGenerator<Predictions> {
  checkFits(model, dataset);
  const classes = dataset.classNames.length;
  const size = Math.min(batchSize, indices.length);
  const session = await model.open({ threads });
  const batches = imageBatches(dataset, indices.subarray(first), size);
  try {
    let done = first;
    for await (const images of batches) {
      const used = Math.min(size, indices.length - done);
      const rows = await session.logits(images, size);
      if (rows.length !== size * classes) throw otherClasses(model, rows.length / size, classes);
      yield { indices: indices.subarray(done, done + used), logits: rows.slice(0, used * classes) };
      done += used;
      hooks.onEvaluation?.({ images: done, totalImages: indices.length });
      if (done < indices.length && hooks.shouldStop?.()) return;
    }
  } finally {
    await batches.return(undefined);
    await session.close();
  }
}

/** Made ready by another thread where images have a recipe; the last batch is filled up with its last image. */
export async function* imageBatches(
  dataset: Dataset,
  indices: Uint32Array,
  size: number,
): AsyncGenerator<Uint8Array> {
  const requests = Array.from({ length: Math.ceil(indices.length / size) }, (_, b) => ({
    indices: Uint32Array.from(
      { length: size },
      (_, i) => indices[Math.min(b * size + i, indices.length - 1)]!,
    ),
  }));
  if (recipeOf(dataset.images) === undefined) {
    for (const request of requests) yield pixelsHere(dataset, request.indices);
    return;
  }
  // Each image is seen once: keeping them would only fill the memory.
  const feed = new BatchFeed({ dataset, seed: 0, keeps: false });
  try {
    for await (const { views } of feed.batches(requests)) yield views.images;
  } finally {
    await feed.close();
  }
}

async function pixelsHere({ images }: Dataset, indices: Uint32Array): Promise<Uint8Array> {
  const { height, width, channels } = images.shape!;
  const size = height * width * channels;
  const batch = new Uint8Array(indices.length * size);
  for (const [i, index] of indices.entries()) batch.set((await images.pixels(index)).data, i * size);
  return batch;
}

/** In the data's order. */
export function chosenImages({ splits, name }: Dataset, chosen: readonly string[] | undefined): Uint32Array {
  const unknown = chosen?.find((split) => !splits.names.includes(split));
  if (unknown !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `the data has no split "${unknown}"`,
      where: name,
      expected: `one of: ${splits.names.join(", ")}`,
    });
  const codes = new Set((chosen ?? splits.names).map((split) => splits.names.indexOf(split)));
  const indices = Uint32Array.from(splits.values.keys()).filter((i) => codes.has(splits.values[i]!));
  if (indices.length > 0) return indices;
  throw new CuelabError({ kind: "input", what: "there are no images to predict", where: name });
}

export function checkFits({ name, takes }: AskedModel, { images, name: data }: Dataset): void {
  if ("features" in takes)
    throw new CuelabError({
      kind: "usage",
      what: `${name} takes features, not images`,
      expected: `${takes.features} features an image`,
      todo: "predict with the run whose features it was trained on",
    });
  const { image } = takes;
  const shape = images.shape;
  const text = ({ height, width, channels }: ImageShape) => `${height} × ${width} with ${channels} channels`;
  if (shape !== null && text(shape) === text(image)) return;
  throw new CuelabError({
    kind: "input",
    what: `the images do not fit ${name}`,
    where: data,
    expected: `images of ${text(image)}`,
    got: shape === null ? "images of several sizes" : `images of ${text(shape)}`,
    todo: "make or convert the data in that size",
  });
}

function otherClasses({ name }: AskedModel, got: number, expected: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${name} tells another number of classes apart than the data has`,
    expected: `${expected} classes`,
    got: `${got}`,
    todo: "name the model's classes with --classes, or give --no-labels, and they are numbered",
  });
}

/**
 * The dataset as the model's classes number it, so that labels and predictions mean the same. Data whose classes the model
 * does not know cannot be compared with what it says.
 */
export function inClassesOf(model: AskedModel, dataset: Dataset): Dataset {
  const { classNames } = model;
  if (classNames === undefined || classNames.join("\n") === dataset.classNames.join("\n")) return dataset;
  const codes = codesOfClasses(model, dataset.classNames);
  const unknown = dataset.classNames.filter((_, i) => codes[i] === undefined);
  if (unknown.length > 0)
    throw new CuelabError({
      kind: "input",
      what: `the data has classes that ${model.name} does not know`,
      where: dataset.name,
      expected: `classes among: ${classNames.slice(0, 20).join(", ")}${classNames.length > 20 ? ", …" : ""}`,
      got: unknown.slice(0, 20).join(", "),
      todo: "say which is which with --label-map, or give --no-labels to predict without comparing",
    });
  const attributes = Object.entries(dataset.attributes).map(([name, attribute]) => {
    const { classValues } = attribute;
    if (classValues === undefined) return [name, attribute] as const;
    const known = codes.length === classNames.length && new Set(codes).size === codes.length;
    const { classValues: _, ...rest } = attribute;
    // A class that the data does not have goes with no value.
    if (!known) return [name, rest] as const;
    return [
      name,
      { ...rest, classValues: classNames.map((_, code) => classValues[codes.indexOf(code)]!) },
    ] as const;
  });
  return {
    ...dataset,
    classNames,
    labels: dataset.labels.map((label) => codes[label]!),
    attributes: Object.fromEntries(attributes),
  };
}

/** Which run said it, and of what: the same run's words about other data are other predictions. */
export function originOn(model: AskedModel, identity: string): PredictionsOrigin | null {
  if (model.run === undefined) return null;
  const { origin, spec } = model.run;
  if (spec.data.identity === identity) return origin;
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, 8);
  return { ...origin, run: `${origin.run}:${digest}`, spec: { ...origin.spec, predictedOn: identity } };
}

/** What the run was trained on, where these data have the attributes that it is told by; else undefined. */
export function trainingOf(model: AskedModel, dataset: Dataset): PredictionsAbout["training"] | undefined {
  const { training, attributes } = model.run?.about ?? {};
  if (!training) return undefined;
  const fits = training.attributes.every((name) => {
    const [there, then] = [dataset.attributes[name], lookUp(attributes!, name)];
    return there !== undefined && there.valueNames.join("\n") === then.valueNames.join("\n");
  });
  return fits ? training : undefined;
}

/** The classes of the data by other names, several of which may be one. */
export function withLabelMap(dataset: Dataset, map: ReadonlyMap<string, string>, where: string): Dataset {
  const renamed = dataset.classNames.map((name) => map.get(name));
  const missing = dataset.classNames.filter((_, code) => renamed[code] === undefined);
  if (missing.length > 0)
    throw new CuelabError({
      kind: "input",
      what: "the label map does not name all classes of the data",
      where,
      expected: `a line or key for each of ${dataset.classNames.length} classes`,
      got: `none for ${missing.slice(0, 20).join(", ")}`,
    });
  const names = [...new Set(renamed as string[])];
  const attributes = Object.entries(dataset.attributes).map(([name, attribute]) => {
    const { classValues: _, ...rest } = attribute;
    return [name, rest] as const;
  });
  return {
    ...dataset,
    classNames: names,
    labels: dataset.labels.map((label) => names.indexOf(renamed[label]!)),
    // Values that went with the old classes go with none of these.
    ...(names.length < dataset.classNames.length && { attributes: Object.fromEntries(attributes) }),
  };
}
