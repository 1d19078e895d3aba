/** Any ONNX file as what features are extracted with: pictures are made ready as `predict` makes them. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { isUnlabelled } from "../../core/no-label.ts";
import type { AskedModel, FeaturesOfModel } from "../asked/asked-model.ts";
import { howItIsAsked } from "../asked/asked-model.ts";
import { codesOfClasses } from "../asked/chosen-classes.ts";
import { type ModelWords, openModel } from "../asked/open-model.ts";
import { inSizeOf } from "../asked/preparation.ts";
import { DataBook, type DataWords } from "../data-book.ts";
import { unlabelledToo } from "../named-data.ts";
import { pixelStatistics } from "../pixel-statistics.ts";
import { checkFits, inClassesOf } from "../predict.ts";
import { indicesOf } from "../splits.ts";
import { ofOneShape } from "../training-data.ts";
import {
  type Extracted,
  type ExtractOptions,
  extractFrom,
  type FeatureSourceOfImages,
} from "./extract-features.ts";
import type { FeatureNetwork } from "./feature-network.ts";

export interface AskedExtraction {
  model: ModelWords;
  data: Omit<DataWords, "environments">;
  /** The value that counts as features; by default what the last linear layer takes. */
  layer?: string | undefined;
  batchSize: number;
  threads: number;
  /** Of views. */
  seed?: number | undefined;
}

/** Of a file by its path, and of data in words. */
export async function extractFromOnnx(
  { data, layer, batchSize, threads, seed = 0, ...asked }: AskedExtraction,
  options: ExtractOptions,
): Promise<Extracted> {
  const model = await openModel(asked.model);
  const book = new DataBook();
  const { handle, dataset } = await book.open(unlabelledToo(data), options.signal);
  try {
    for (const remark of [...book.remarks, ...howItIsAsked(model)]) options.onRemark?.(remark);
    const shaped = await ofOneShape(inSizeOf(model, dataset));
    const source = await askedSource(model, shaped, {
      identity: handle.data.identity,
      where: data.path ?? dataset.name,
      layer,
      batchSize,
      threads,
      seed,
      onRemark: options.onRemark,
    });
    return await extractFrom(source, options);
  } finally {
    await dataset.images.close?.();
  }
}

interface AskedSourceOptions extends Required<Pick<AskedExtraction, "batchSize" | "threads" | "layer">> {
  /** Of the data. */
  identity: string;
  where: string;
  seed: number;
  onRemark?: ((text: string) => void) | undefined;
}

export async function askedSource(
  model: AskedModel,
  given: Dataset,
  { identity, where, layer, batchSize, threads, seed, onRemark }: AskedSourceOptions,
): Promise<FeatureSourceOfImages> {
  checkFits(model, given);
  const features = await featuresOf(model, layer);
  const { dataset, fits, remark } = classesOf(model, given);
  if (remark !== undefined) onRemark?.(remark);
  const { head } = features;
  return {
    dataset,
    where,
    seed,
    batchSize,
    rounding: { threads },
    open: (_, batch) => openNetwork(features, batch, threads),
    mean: async () =>
      (await pixelStatistics(dataset, indicesOf(dataset, "train"))).mean.map((value) => 255 * value),
    origin: () => ({
      model: model.name,
      options: {},
      head: head?.name ?? "head",
      weights: model.digest,
      data: identity,
      ...(model.file !== undefined && { file: model.file }),
      layer: features.layer,
      prepared: (model.preparation?.said ?? []).map(({ part, how, from }) => `${part}: ${how} (${from})`),
    }),
    head: async () => (fits && head?.bias.length === dataset.classNames.length ? head : undefined),
  };
}

async function featuresOf(model: AskedModel, layer: string | undefined): Promise<FeaturesOfModel> {
  if (model.features !== undefined) return model.features(layer);
  throw new CuelabError({
    kind: "usage",
    what: `nobody can look into ${model.name}`,
    expected: "an .onnx file, whose last layer can be found or named",
  });
}

/** A file with a fixed number of images a run has its session's own batches. */
async function openNetwork(
  features: FeaturesOfModel,
  batch: number,
  threads: number,
): Promise<FeatureNetwork> {
  const session = await features.open({ threads });
  return {
    width: features.width,
    batch,
    run: (images) => session.logits(images, batch),
    close: () => session.close(),
  };
}

/** Labels as the model numbers classes, where it knows those of the data; only then its last layer is one for them. */
function classesOf(
  model: AskedModel,
  dataset: Dataset,
): { dataset: Dataset; fits: boolean; remark?: string } {
  if (isUnlabelled(dataset)) return { dataset, fits: false };
  const { classNames, classes } = model;
  const count = dataset.classNames.length;
  if (classNames !== undefined) {
    if (classNames.join("\n") === dataset.classNames.join("\n")) return { dataset, fits: true };
    if (codesOfClasses(model, dataset.classNames).every((code) => code !== undefined))
      return { dataset: inClassesOf(model, dataset), fits: true };
    return {
      dataset,
      fits: false,
      remark: `the data has classes that ${model.name} does not know: its own last layer is left away`,
    };
  }
  if (classes === count)
    return {
      dataset,
      fits: true,
      remark:
        "nobody says what the model's classes are called: they are taken to be the data's, in their order",
    };
  return {
    dataset,
    fits: false,
    remark: `${model.name} tells ${classes ?? "other"} classes apart and the data has ${count}: its own last layer is left away`,
  };
}
