/**
 * What cheap classifiers see of an image: pixels at several sizes, with or without colour, their principal components,
 * or the answers of random filters. Made once for all images of a pool and shared by its classifiers.
 */

import type { ImageShape } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { randomStream } from "../core/random.ts";
import { symmetricEigen } from "../core/symmetric-eigen.ts";
import { Executable } from "../engine/executable.ts";
import { conv2d, input, relu, stateInput } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { models } from "../models/index.ts";
import { spreadOf } from "../training/feature-rows.ts";
import type { Extractor, NetworkSource } from "../training/features/extractors.ts";
import type { FeatureArray, ImageBytes } from "../training/features/kept-features.ts";

export interface FeatureKind {
  name: string;
  /** Height and width that images are averaged down to first. */
  size: number;
  /** Channels are averaged, with equal weights: of red and green digits nothing but shape is left. */
  grey?: true;
  /** So many principal components. */
  components?: number;
  /** So many random filters, and which draw of them. */
  filters?: number;
  draw?: number;
  /** What a network's last layer sees of them, in their own size. */
  network?: NetworkSource;
}

/** Every beginning of a name, of those that need no network. */
export const allKinds = ["pixels", "grey", "components", "filters"] as const;

const kinds: readonly FeatureKind[] = [
  ...[1, 2, 4, 7, 14].map((size) => ({ name: `pixels-${size}`, size })),
  ...[7, 14].map((size) => ({ name: `grey-${size}`, size, grey: true as const })),
  ...[4, 16, 64].map((components) => ({ name: `components-${components}`, size: 7, components })),
  ...[
    [8, 0],
    [16, 1],
    [16, 2],
    [32, 3],
  ].map(([filters, draw]) => ({
    name: `filters-${filters}-${draw}`,
    size: 28,
    filters: filters!,
    draw: draw!,
  })),
];

/** Those that mean something for images of this shape. */
function kindsFor({ height, width, channels }: ImageShape): FeatureKind[] {
  const least = Math.min(height, width);
  return kinds.filter(
    ({ size, grey, filters }) =>
      (filters !== undefined ? least >= filterSide + 2 : size <= least) && !(grey && channels === 1),
  );
}

const randomPrefix = "random-";

/** Names of the networks with random weights among kinds of features. */
export function randomNetworks(features: readonly string[]): string[] {
  return features.flatMap((name) => (name.startsWith(randomPrefix) ? [name.slice(randomPrefix.length)] : []));
}

/**
 * By whole names or how they begin: `filters` is every kind of random filters; `random-resnet18` is that network with
 * random weights. Extractors come in addition to what is named.
 */
export function kindsNamed(
  wanted: readonly string[],
  shape: ImageShape,
  extractors: readonly Extractor[] = [],
): FeatureKind[] {
  const random = [...new Set(wanted)].filter((name) => name.startsWith(randomPrefix));
  const networks: FeatureKind[] = [
    ...random.map((name) => ({
      name,
      size: 1,
      network: { random: models.get(name.slice(randomPrefix.length)).name },
    })),
    ...extractors.map((extractor) => ({ name: extractor.name, size: 1, network: { extractor } })),
  ];
  const others = wanted.filter(
    (name) => !random.includes(name) && !(name === "network" && extractors.length > 0),
  );
  return [...plainKinds(others, shape), ...networks];
}

function plainKinds(wanted: readonly string[], shape: ImageShape): FeatureKind[] {
  const known = kindsFor(shape);
  const fits = (name: string, part: string) => name === part || name.startsWith(`${part}-`);
  const all: readonly string[] = allKinds;
  // Small or grey images have not all of them, which is no mistake of those who asked for everything.
  const wrong = wanted.find((part) => !all.includes(part) && !known.some(({ name }) => fits(name, part)));
  if (wrong === undefined) return known.filter(({ name }) => wanted.some((part) => fits(name, part)));
  if (wrong === "network") {
    throw new CuelabError({
      kind: "usage",
      what: 'features "network" are those of trained networks, and none is named',
      todo: "add --extractors with finished runs or ONNX files, or take random-<model>, such as random-small-cnn",
    });
  }
  throw new CuelabError({
    kind: "usage",
    what: `no features of these images are called "${wrong}"`,
    expected: `some of: ${known.map(({ name }) => name).join(", ")}; how they begin; or random-<model>, such as random-small-cnn`,
    ...didYouMean(wrong, [...allKinds, ...known.map(({ name }) => name)]),
  });
}

export interface Features extends FeatureArray {
  /** Which channel each feature comes from; undefined where they come from several. */
  channels: Uint8Array | undefined;
}

/** Principal components are fitted to the images at `fitted`; `seed` draws the filters. */
export async function makeFeatures(
  kind: FeatureKind,
  images: ImageBytes,
  fitted: Uint32Array,
  seed: number,
): Promise<Features> {
  const { channels } = images.shape;
  const size = Math.min(kind.size, images.shape.height, images.shape.width);
  const pooled = averaged(images, size);
  if (kind.grey) return { values: greyed(pooled, channels), width: size * size, channels: undefined };
  const width = size * size * channels;
  if (kind.components !== undefined)
    return principal(pooled, width, Math.min(kind.components, width), fitted);
  if (kind.filters !== undefined) {
    return filtered(pooled, { ...images, shape: { height: size, width: size, channels } }, kind, seed);
  }
  return {
    values: pooled,
    width,
    channels: channels === 1 ? undefined : Uint8Array.from({ length: width }, (_, i) => i % channels),
  };
}

/** Means over blocks of pixels, from 0 to 1: [images, size, size, channels]. Blocks differ by a pixel where they must. */
function averaged({ shape, count, data }: ImageBytes, size: number): Float32Array {
  const { height, width, channels } = shape;
  const row = (y: number) => Math.floor((y * size) / height);
  const column = (x: number) => Math.floor((x * size) / width);
  const area = new Float32Array(size * size);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) area[row(y) * size + column(x)]!++;
  const block = Uint32Array.from(
    { length: height * width },
    (_, i) => row(Math.floor(i / width)) * size + column(i % width),
  );
  const result = new Float32Array(count * size * size * channels);
  for (let image = 0; image < count; image++) {
    const to = image * size * size * channels;
    let from = image * height * width * channels;
    for (let i = 0; i < block.length; i++) {
      const at = to + block[i]! * channels;
      for (let c = 0; c < channels; c++) result[at + c]! += data[from++]!;
    }
    for (let i = 0; i < area.length * channels; i++) result[to + i]! /= 255 * area[Math.floor(i / channels)]!;
  }
  return result;
}

function greyed(pooled: Float32Array, channels: number): Float32Array {
  const grey = new Float32Array(pooled.length / channels);
  for (let i = 0; i < pooled.length; i++) grey[Math.floor(i / channels)]! += pooled[i]! / channels;
  return grey;
}

function principal(pooled: Float32Array, width: number, kept: number, fitted: Uint32Array): Features {
  const { mean } = spreadOf(pooled, width, fitted);
  const covariance = new Float64Array(width * width);
  const centred = new Float64Array(width);
  for (const image of fitted) {
    for (let k = 0; k < width; k++) centred[k] = pooled[image * width + k]! - mean[k]!;
    for (let i = 0; i < width; i++)
      for (let j = 0; j <= i; j++) covariance[i * width + j]! += (centred[i]! * centred[j]!) / fitted.length;
  }
  for (let i = 0; i < width; i++)
    for (let j = i + 1; j < width; j++) covariance[i * width + j] = covariance[j * width + i]!;
  const { vectors } = symmetricEigen(covariance, width);
  const count = pooled.length / width;
  const values = new Float32Array(count * kept);
  for (let image = 0; image < count; image++) {
    for (let component = 0; component < kept; component++) {
      let total = 0;
      for (let k = 0; k < width; k++)
        total += vectors[component * width + k]! * (pooled[image * width + k]! - mean[k]!);
      values[image * kept + component] = total;
    }
  }
  return { values, width: kept, channels: undefined };
}

/** Height and width of a random filter, how far apart it is applied, and how many places its answers are averaged to. */
const filterSide = 5;
const filterStride = 2;
const filterPlaces = 4;
const imagesAtOnce = 256;

/** ReLU of random filters, averaged over 4 × 4 regions: [images, filters × 16]. */
async function filtered(
  pooled: Float32Array,
  { shape, count }: ImageBytes,
  { filters = 1, draw = 0 }: FeatureKind,
  seed: number,
): Promise<Features> {
  const { height: size, channels } = shape;
  const random = randomStream(seed, "pool/filters").at(draw);
  const weight = Float32Array.from({ length: filters * channels * filterSide ** 2 }, () => random.normal());
  // No filter sees the mean brightness of its window: what it answers to is a pattern, or a colour.
  centreFilters(weight, channels * filterSide ** 2);
  const batch = Math.min(imagesAtOnce, count);
  const x = input("x", [batch, channels, size, size]);
  const filter = stateInput("filters", [filters, channels, filterSide, filterSide]);
  const answers = relu(conv2d(x, filter, { stride: filterStride }));
  const side = answers.shape[2]!;
  const places = Math.min(filterPlaces, side);
  const state = new State();
  state.set("filters", weight);
  const executable = await Executable.compile({ outputs: { answers } }, { threads: 1, kernels: "standard" });
  const width = filters * places * places;
  const values = new Float32Array(count * width);
  const planes = new Float32Array(batch * channels * size * size);
  try {
    for (let start = 0; start < count; start += batch) {
      const here = Math.min(batch, count - start);
      toPlanes(pooled, start, here, channels, size * size, planes);
      const found = (await executable.run({ x: planes }, { state })).answers as Float32Array;
      for (let i = 0; i < here * filters; i++) {
        regions(found, i * side * side, side, places, values, start * width + i * places * places);
      }
    }
  } finally {
    await executable.close();
  }
  return { values, width, channels: undefined };
}

function centreFilters(weight: Float32Array, length: number): void {
  for (let start = 0; start < weight.length; start += length) {
    const filter = weight.subarray(start, start + length);
    const mean = filter.reduce((a, b) => a + b, 0) / length;
    for (let i = 0; i < length; i++) filter[i]! -= mean;
  }
}

function toPlanes(
  pooled: Float32Array,
  start: number,
  count: number,
  channels: number,
  pixels: number,
  planes: Float32Array,
): void {
  for (let image = 0; image < count; image++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      for (let c = 0; c < channels; c++) {
        planes[(image * channels + c) * pixels + pixel] =
          pooled[((start + image) * pixels + pixel) * channels + c]!;
      }
    }
  }
}

/** Means of a square map over places × places regions. */
function regions(
  map: Float32Array,
  from: number,
  side: number,
  places: number,
  result: Float32Array,
  to: number,
): void {
  const at = (i: number) => Math.floor((i * places) / side);
  const area = (side / places) ** 2;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) result[to + at(y) * places + at(x)]! += map[from + y * side + x]! / area;
  }
}
