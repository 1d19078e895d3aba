/** Pictures of what a method has learnt, of a few images, as files of its run: traversals, reconstructions, what a lens lets through. */

import type { Dataset } from "../core/dataset.ts";
import { lookUp } from "../core/look-up.ts";
import { Executable } from "../engine/executable.ts";
import { input, type Tensor } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { encodePng } from "../images/png.ts";
import type { Weights } from "../methods/method.ts";
import type { RunSpec } from "./run-spec.ts";
import { indicesOf } from "./splits.ts";
import type { MethodData } from "./stages/method-data.ts";
import { predictionOf, type RunNetwork } from "./stages/run-network.ts";

/** So many images are drawn of. */
const some = 8;
/** Between the images of a picture. */
const gutter = 2;

export interface DrawnRun {
  spec: RunSpec;
  dataset: Dataset;
  data: MethodData;
  network: RunNetwork;
}

/** PNG files by the picture's name; none where the method draws nothing. */
export async function drawPictures(
  { spec, dataset, data, network }: DrawnRun,
  weights: Weights,
): Promise<Map<string, Uint8Array>> {
  if (data.method.draws === undefined) return new Map();
  const { height, width, channels } = dataset.images.shape!;
  const indices = drawnOf(dataset);
  const images = new Uint8Array(indices.length * height * width * channels);
  for (const [i, index] of indices.entries())
    images.set((await dataset.images.pixels(index)).data, i * height * width * channels);
  const seen = input("images", [indices.length, height, width, channels], "byte");
  const drawn = predictionOf(network, data, seen, "images").drawn();
  const { device, threads } = spec;
  const executable = await Executable.compile({ outputs: drawn }, { device, threads });
  try {
    const state = new State();
    for (const name of executable.stateNames) state.set(name, lookUp(weights, name));
    const values = await executable.run({ images }, { state });
    return new Map(
      Object.entries(drawn).map(([name, { shape }]) => [name, sheet(values[name] as Float32Array, shape)]),
    );
  } finally {
    await executable.close();
  }
}

/** The first images that are not trained on, of each class in turn; of training where there are no others. */
function drawnOf(dataset: Dataset): number[] {
  const { names } = dataset.splits;
  const split = ["val", "test", "train"].find((name) => names.includes(name)) ?? names[0]!;
  const ofClass = dataset.classNames.map(() => [] as number[]);
  for (const index of indicesOf(dataset, split)) ofClass[dataset.labels[index]!]!.push(index);
  const turns = Array.from({ length: some }, (_, turn) => ofClass.flatMap((all) => all[turn] ?? []));
  return turns.flat().slice(0, some);
}

/** [rows, columns, channels, height, width] of values from 0 to 1 side by side, as a PNG. */
function sheet(values: Float32Array, shape: Tensor["shape"]): Uint8Array {
  const [rows, columns, channels, height, width] = shape as [number, number, number, number, number];
  const [full, wide] = [rows * (height + gutter) + gutter, columns * (width + gutter) + gutter];
  const data = new Uint8Array(full * wide * channels).fill(255);
  for (let at = 0; at < values.length; at++) {
    const x = at % width;
    const y = Math.floor(at / width) % height;
    const channel = Math.floor(at / width / height) % channels;
    const place = Math.floor(at / width / height / channels);
    const row = gutter + Math.floor(place / columns) * (height + gutter) + y;
    const column = gutter + (place % columns) * (width + gutter) + x;
    data[(row * wide + column) * channels + channel] = Math.round(
      255 * Math.min(1, Math.max(0, values[at]!)),
    );
  }
  return encodePng({ data, height: full, width: wide, channels });
}
