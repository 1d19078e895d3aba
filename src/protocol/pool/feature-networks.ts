/** Networks whose last layer's input is a kind of features: with random weights, of finished runs, or ONNX models. */

import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { columnWords } from "../../core/group-words.ts";
import { randomStream } from "../../core/random.ts";
import { Executable } from "../../engine/executable.ts";
import { input } from "../../engine/expressions.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { State } from "../../engine/state.ts";
import { initialise } from "../../engine/training/parameters.ts";
import { models } from "../../models/index.ts";
import { type ModelOptions, Network } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { takeWeights } from "../../models/weights/take-weights.ts";
import { fileDigest } from "../../store/finished-file.ts";
import { listSafetensors } from "../../store/safetensors.ts";
import { chosenPixels, readWeights, weightsPath } from "../weights.ts";
import { networkAboutOf } from "../weights-about.ts";

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

export interface FeatureNetwork {
  width: number;
  /** Images at a time. */
  batch: number;
  /** Bytes [batch, rows, columns, channels] → [batch, width]. */
  run: (images: Uint8Array) => Promise<Float32Array>;
  close: () => Promise<void>;
}

export interface NetworkContext {
  shape: ImageShape;
  /** Of the training images, for random networks that standardise theirs. */
  pixels: PixelStatistics;
  seed: number;
}

const usualBatch = 64;
/** Images up to so many rows are small: networks keep their resolution in the beginning. */
const smallSide = 64;

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
  const about = networkAboutOf((await listSafetensors(path)).metadata, path);
  if (about === undefined) throw fail("no run of a network", "weights that do not say of which network");
  const { model, options, image, pixels } = about;
  return { name, path, digest: await fileDigest(path), network: { model, options, image, pixels } };
}

/** Refuses what does not fit the images. */
export async function openFeatureNetwork(
  source: NetworkSource,
  context: NetworkContext,
): Promise<FeatureNetwork> {
  if ("random" in source) return randomNetwork(source.random, context);
  const { extractor } = source;
  return extractor.network === undefined
    ? onnxNetwork(extractor, context)
    : trainedNetwork(extractor, extractor.network, context);
}

/** With the seed and options of `cuelab features extract`, the same weights. */
function randomNetwork(name: string, { shape, pixels, seed }: NetworkContext): Promise<FeatureNetwork> {
  const { defaults } = models.get(name);
  const small = Math.min(shape.height, shape.width) <= smallSide;
  const options: ModelOptions = {
    ...(small && "stem" in defaults ? { stem: "small" } : {}),
    ...(small && "patch" in defaults ? { patch: 4 } : {}),
  };
  return zooNetwork(name, options, pixels, shape, (network, state) =>
    initialise(network.parameters.all, state, (key) => randomStream(seed, key).at(0)),
  );
}

async function trainedNetwork(
  { path, digest }: Extractor,
  { model, options, image, pixels }: NonNullable<Extractor["network"]>,
  { shape, seed }: NetworkContext,
): Promise<FeatureNetwork> {
  if (image.channels !== shape.channels) throw misfit(path, sizeText(image), shape);
  const file = await readWeights({ path, digest, freshHead: true });
  // Two classes: the head is not needed, so it need not fit.
  const taken = takeWeights(models.get(model), { options, classes: 2, image: shape }, file, path, {
    freshHead: true,
  });
  return zooNetwork(model, options, pixels, shape, (network, state) => {
    initialise(network.parameters.all, state, (key) => randomStream(seed, key).at(0));
    for (const [name, values] of taken) state.set(name, values);
  });
}

async function zooNetwork(
  name: string,
  options: ModelOptions,
  pixels: PixelStatistics,
  { height, width: columns, channels }: ImageShape,
  fill: (network: Network, state: State) => void,
): Promise<FeatureNetwork> {
  const network = new Network(models.get(name), { classes: 2, mode: "evaluate", options, pixels });
  const features = network.features(input("images", [usualBatch, height, columns, channels], "byte"));
  const state = new State();
  fill(network, state);
  const executable = await Executable.compile({ outputs: { features } }, { threads: 1 });
  return {
    width: features.shape[1]!,
    batch: usualBatch,
    run: async (images) => (await executable.run({ images }, { state })).features as Float32Array,
    close: () => executable.close(),
  };
}

async function onnxNetwork({ path }: Extractor, { shape }: NetworkContext): Promise<FeatureNetwork> {
  const model = await OnnxModel.open(path, { output: "features" });
  try {
    const { height, width: columns, channels } = shape;
    const isByte = model.input.type === "uint8";
    const wanted = isByte ? [height, columns, channels] : [channels, height, columns];
    const [rows, ...sides] = model.input.shape;
    // Free sizes are told as texts or negative numbers.
    const isFree = (size: number | string | undefined) => typeof size === "string" || (size ?? 0) <= 0;
    const fits = sides.length === 3 && sides.every((size, i) => isFree(size) || size === wanted[i]);
    if (!fits) throw misfit(path, `${model.input.type} [${model.input.shape.join(", ")}]`, shape);
    if (!isByte && channels !== 3) throw misfit(path, "float images of 3 channels, as ImageNet's", shape);
    const batch = isFree(rows) ? usualBatch : Number(rows);
    const dims = [batch, ...wanted];
    const planes = isByte ? undefined : new Float32Array(batch * channels * height * columns);
    const run = async (images: Uint8Array) => {
      if (planes !== undefined) standardised(images, channels, height * columns, planes);
      return model.run(planes ?? images, dims);
    };
    const { length } = await run(new Uint8Array(batch * height * columns * channels));
    return { width: length / batch, batch, run, close: () => model.close() };
  } catch (cause) {
    await model.close();
    throw cause;
  }
}

/** Bytes, channels innermost, as floats, channels first, with ImageNet's mean and deviation. */
function standardised(images: Uint8Array, channels: number, pixels: number, planes: Float32Array): void {
  const { mean, deviation } = chosenPixels("imagenet")!;
  for (let from = 0, image = 0; from < images.length; image++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      for (let c = 0; c < channels; c++)
        planes[(image * channels + c) * pixels + pixel] = (images[from++]! / 255 - mean[c]!) / deviation[c]!;
    }
  }
}

function misfit(path: string, takes: string, shape: ImageShape): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the images do not fit this extractor",
    where: path,
    expected: takes,
    got: sizeText(shape),
  });
}

function sizeText({ height, width, channels }: ImageShape): string {
  return `images of ${height} × ${width} with ${channels} channel${channels === 1 ? "" : "s"}`;
}
