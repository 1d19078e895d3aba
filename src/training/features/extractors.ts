/** Networks that are named as extractors of features: with random weights, of finished runs, or ONNX models. */

import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { columnWords } from "../../core/group-words.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { fileDigest } from "../../disk/vouched.ts";
import type { ModelOptions } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { needPlugins } from "../../plugins/at-hand.ts";
import { finishedFile } from "../../runs/finished-file.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { listSafetensors } from "../../runs/safetensors.ts";
import { firstWeights } from "../first-weights.ts";
import type { RunSpec } from "../run-spec.ts";
import { weightsPath } from "../weights.ts";
import { networkAboutOf } from "../weights-about.ts";
import { type FeatureNetwork, openOwnNetwork, suitingOptions } from "./feature-network.ts";
import { onnxMisfit, openOnnxNetwork, sizeText } from "./onnx-network.ts";

/** A trained network, found by its file. */
export interface Extractor {
  /** `network-` and the run's folder or the file. */
  name: string;
  /** Of the weights, or of the ONNX file; where it lies decides nothing. */
  path: string;
  digest: string;
  /** Of a run: its network, and how it standardises pixels. An ONNX model has all that in itself. */
  network?: { model: string; options: ModelOptions; image: ImageShape; pixels: PixelStatistics };
}

/** A network by name with random weights, or a trained one. */
export type NetworkSource = { random: string } | { extractor: Extractor };

export interface NetworkContext {
  shape: ImageShape;
  /** Of the training images, for random networks that standardise theirs. */
  pixels: PixelStatistics;
  seed: number;
}

/** Folders of finished runs and ONNX files, with what decides their features. */
export async function describeExtractors(given: readonly string[]): Promise<Extractor[]> {
  const names = columnWords(given.map((path) => basename(path).replace(/\.(onnx|safetensors)$/, "")));
  return Promise.all(given.map((path, i) => describeExtractor(resolve(path), `network-${names[i]}`)));
}

async function describeExtractor(given: string, name: string): Promise<Extractor> {
  const found = await stat(given).catch(() => undefined);
  const fail = (what: string, got: string) =>
    new CuelabError({
      kind: "input",
      what,
      where: given,
      expected: "the folder of a run that 'cuelab train' has finished, or an .onnx file",
      got,
    });
  if (found === undefined) throw fail("there is no such extractor", "no such file or folder");
  if (found.isFile() && given.endsWith(".onnx"))
    return { name, path: given, digest: await fileDigest(given) };
  if (found.isFile() && !given.endsWith(".safetensors"))
    throw fail("no extractor of features", basename(given));
  const path = await weightsPath(given);
  if (found.isDirectory()) await loadPluginsOf(given);
  const about = networkAboutOf((await listSafetensors(path)).metadata, path);
  if (about === undefined) throw fail("no run of a network", "weights that do not say of which network");
  const { model, options, image, pixels } = about;
  return { name, path, digest: await fileDigest(path), network: { model, options, image, pixels } };
}

/** Without them the names in its weights may mean nothing. */
async function loadPluginsOf(run: string): Promise<void> {
  const text = String(await readPlain(await finishedFile(run, runFiles.spec)));
  await needPlugins((JSON.parse(text) as RunSpec).plugins);
}

/** Networks of ours, or of plugins, that the features come from. */
export function modelsOf(extractors: readonly Extractor[]): string[] {
  return extractors.flatMap(({ network }) => network?.model ?? []);
}

/** Refuses what does not fit the images. */
export async function openFeatureNetwork(
  source: NetworkSource,
  { shape, pixels, seed }: NetworkContext,
): Promise<FeatureNetwork> {
  if ("random" in source) {
    const model = source.random;
    return openOwnNetwork({ model, options: suitingOptions(model, shape), pixels, seed }, { shape });
  }
  const { path, digest, network } = source.extractor;
  if (network === undefined) return openOnnxNetwork(path, { shape });
  const { model: name, options, image } = network;
  if (image.channels !== shape.channels) throw onnxMisfit(path, sizeText(image), shape);
  const file = { path, digest, freshHead: true };
  const weights = await firstWeights(
    { weights: file, model: { name, options } },
    { classes: 2, image: shape },
  );
  return openOwnNetwork({ model: name, options, pixels: network.pixels, weights, seed }, { shape });
}
