/** A network up to its last layer, ready to be shown images: the one way from pixels to features, for commands and pools. */

import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { harmedRow } from "../../core/not-finite.ts";
import { randomStream } from "../../core/random.ts";
import { Executable } from "../../engine/executable.ts";
import { input } from "../../engine/expressions.ts";
import { State } from "../../engine/state.ts";
import { initialise } from "../../engine/training/parameters.ts";
import type { Weights } from "../../methods/method.ts";
import { models } from "../../models/index.ts";
import { type ModelOptions, Network } from "../../models/model.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import type { RunSpec } from "../run-spec.ts";

export interface FeatureNetwork {
  width: number;
  /** Images at a time. */
  batch: number;
  /** Bytes [batch, rows, columns, channels] → [batch, width]. */
  run: (images: Uint8Array) => Promise<Float32Array>;
  close: () => Promise<void>;
}

/** What it is shown, and how it is computed. */
export interface Shown extends Partial<Pick<RunSpec, "device" | "threads">> {
  shape: ImageShape;
  /** Images at a time, unless the network has a number of its own. */
  batch?: number;
}

export const usualBatch = 64;

/** One of our networks. */
export interface OwnNetwork {
  model: string;
  options: ModelOptions;
  /** Undefined where it does not standardise. */
  pixels: PixelStatistics | undefined;
  /** Of a file; all others begin as a run of this seed begins. */
  weights?: Weights | undefined;
  seed: number;
}

export async function openOwnNetwork(
  { model, options, pixels, weights = new Map(), seed }: OwnNetwork,
  { shape: { height, width: columns, channels }, batch = usualBatch, device = "cpu", threads = 1 }: Shown,
): Promise<FeatureNetwork> {
  // Two classes: the head is not needed, so it need not fit.
  const network = new Network(models.get(model), { classes: 2, mode: "evaluate", options, pixels });
  const features = network.features(input("images", [batch, height, columns, channels], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(seed, key).at(0));
  for (const [name, values] of weights) state.set(name, values);
  const executable = await Executable.compile({ outputs: { features } }, { device, threads });
  return {
    width: features.shape[1]!,
    batch,
    run: async (images) => (await executable.run({ images }, { state })).features as Float32Array,
    close: () => executable.close(),
  };
}

/** Images up to so many rows are small: networks keep their resolution in the beginning. */
const smallSide = 64;

/** The options with which a network suits images of this size, where nobody says otherwise. */
export function suitingOptions(model: string, { height, width }: ImageShape): ModelOptions {
  if (Math.min(height, width) > smallSide) return {};
  const { defaults } = models.get(model);
  return { ...("stem" in defaults && { stem: "small" }), ...("patch" in defaults && { patch: 4 }) };
}

/**
 * Features of so many images, from whole batches of them: rows of each batch, in order. What fills up the last batch is
 * left out, and features that are not finite are an error that says whose they are.
 */
export async function* featureRows(
  { width, batch, run }: FeatureNetwork,
  batches: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { count, describe }: { count: number; describe: (image: number) => string },
): AsyncGenerator<Float32Array> {
  let done = 0;
  for await (const images of batches) {
    const from = done;
    const rows = finiteRows(await run(images), Math.min(batch, count - done) * width, {
      width,
      describe: (row) => describe(from + row),
    });
    done += rows.length / width;
    yield rows;
  }
}

/** The first so many numbers, once they are numbers. */
export function finiteRows(
  given: Float32Array,
  length: number,
  { width, describe }: { width: number; describe: (row: number) => string },
): Float32Array {
  const rows = given.subarray(0, length);
  const harmed = harmedRow(rows, width);
  if (harmed !== undefined) throw notFinite(describe(harmed.row), width, harmed.count);
  return rows;
}

function notFinite(where: string, width: number, count: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "the network gives features that are not finite",
    where,
    expected: `${width} finite numbers`,
    got: `${count} that are NaN or infinite`,
    todo: "see whether the weights are those of this network, and whether pixels are as they want them (--pixels); or leave this network away",
  });
}
