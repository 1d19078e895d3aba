/** A network of ours, with the weights of a run, of a file or random ones, as what features are extracted with. */

import { stat } from "node:fs/promises";
import type { Dataset } from "../../core/dataset.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { methods } from "../../methods/index.ts";
import type { Weights } from "../../methods/method.ts";
import { models } from "../../models/index.ts";
import type { Model } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import type { OwnHead } from "../../runs/feature-writer.ts";
import type { SeenPixels } from "../../runs/features-about.ts";
import { finishedFile } from "../../runs/finished-file.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { listSafetensors } from "../../runs/safetensors.ts";
import { firstWeights } from "../first-weights.ts";
import { pixelStatistics, pixelsOf, trainingMean } from "../pixel-statistics.ts";
import type { RunSpec } from "../run-spec.ts";
import { indicesOf } from "../splits.ts";
import { chosenPixels, weightsPath } from "../weights.ts";
import { aboutOf, isLastLayer } from "../weights-about.ts";
import type { FeatureSourceOfImages } from "./extract-features.ts";
import { openOwnNetwork } from "./feature-network.ts";

export async function ownNetworkSource(spec: RunSpec, dataset: Dataset): Promise<FeatureSourceOfImages> {
  const model = models.get(spec.model.name);
  const { options } = spec.model;
  const { device, threads, seed, batchSize } = spec;
  let weights: Weights | undefined;
  let pixels: PixelStatistics | undefined;
  return {
    dataset,
    where: spec.data.path ?? dataset.name,
    seed,
    batchSize,
    rounding: { device, threads },
    async open(shape, batch) {
      // The head is not needed, so it need not fit.
      const fitted = { classes: dataset.classNames.length, image: shape };
      weights = await firstWeights(spec, fitted, { freshHead: true });
      // Training images need to be there only for their statistics, where a network wants any.
      pixels = await pixelsOf(spec, dataset);
      return openOwnNetwork(
        { model: model.name, options, pixels, weights, seed },
        { shape, batch, device, threads },
      );
    },
    mean: async () =>
      model.pixels === "standard"
        ? trainingMean(spec, dataset, pixels)
        : (await pixelStatistics(dataset, indicesOf(dataset, "train"))).mean.map((value) => 255 * value),
    origin: () => ({
      model: model.name,
      options,
      head: model.head,
      weights: spec.weights?.digest ?? null,
      ...(spec.weights === undefined && { seed: spec.seed }),
      pixels: describedPixels(model, spec, pixels),
      data: spec.data.identity,
    }),
    head: (width) => headOf(spec, dataset, width),
  };
}

/** Of weights that somebody trained for these classes, where the network predicts by its own head and nothing else. */
async function headOf(
  spec: RunSpec,
  { classNames, images }: Dataset,
  width: number,
): Promise<OwnHead | undefined> {
  if (spec.weights?.path === undefined) return undefined;
  const { path } = spec.weights;
  const file = await weightsPath(path);
  const { tensors, metadata } = await listSafetensors(file);
  const about = aboutOf(metadata, file);
  if (about !== undefined && isLastLayer(about)) return undefined;
  if (about !== undefined && about.classNames.join("\n") !== classNames.join("\n")) return undefined;
  if (await predictsOtherwise(path)) return undefined;
  const { head } = models.get(spec.model.name);
  const stored = [...tensors].find(([name]) => name === `${head}.weight`)?.[1];
  const [classes] = stored?.shape ?? [];
  if (stored !== undefined && classes !== classNames.length) return undefined;
  const fitted = { classes: classNames.length, image: images.shape! };
  const values = await firstWeights(spec, fitted, { freshHead: false }).catch(() => undefined);
  const [weight, bias] = [values?.get(`${head}.weight`), values?.get(`${head}.bias`)];
  if (weight?.length !== classNames.length * width || bias === undefined) return undefined;
  return { name: head, weight, bias };
}

/** Methods with heads of their own leave a network's head as it began. */
async function predictsOtherwise(path: string): Promise<boolean> {
  if (!(await stat(path)).isDirectory()) return false;
  const { method } = JSON.parse(String(await readPlain(await finishedFile(path, runFiles.spec)))) as RunSpec;
  return methods.get(method.name).predict !== undefined;
}

/** How the network saw pixels: two extractions that differ in it alone must not look the same. */
function describedPixels(
  { pixels: kind }: Model,
  { pixels: given }: RunSpec,
  used: PixelStatistics | undefined,
): SeenPixels {
  if (kind !== "standard") return { mode: kind };
  const { mean, deviation } = used!;
  if (given === undefined) return { mode: "data", mean, deviation };
  const named = (["imagenet", "half"] as const).find((choice) => sameNumbers(chosenPixels(choice)!, given));
  return { mode: named ?? "weights", mean, deviation };
}

function sameNumbers(a: PixelStatistics, b: PixelStatistics): boolean {
  return a.mean.join() === b.mean.join() && a.deviation.join() === b.deviation.join();
}
