/** How pixels are standardised: as a spec says, or by mean and deviation of each channel of the training images. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { models } from "../models/index.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import type { RunSpec } from "./run-spec.ts";
import { indicesOf } from "./splits.ts";
import { checkTrainingImages } from "./training-data.ts";

const mostImages = 2000;
/** A channel that (nearly) never changes is left as it is rather than blown up. */
const leastDeviation = 1e-4;

/** Of a run whose network standardises; statistics of the data are taken only where the spec gives none. */
export async function pixelsOf(
  { model, pixels }: Pick<RunSpec, "model" | "pixels">,
  dataset: Dataset,
): Promise<PixelStatistics | undefined> {
  if (models.get(model.name).pixels !== "standard") return undefined;
  if (pixels !== undefined) return forChannels(pixels, dataset.images.shape!.channels);
  checkTrainingImages(
    dataset,
    "give some rows the split train, whose mean and deviation are wanted, or give --pixels imagenet or half",
  );
  return pixelStatistics(dataset, indicesOf(dataset, "train"));
}

/** What is the same for all channels, as 0.5 and 0.5 are, is so for any number of them. */
function forChannels(given: PixelStatistics, channels: number): PixelStatistics {
  if (given.mean.length === channels) return given;
  const [mean, deviation] = [given.mean, given.deviation].map((values) => [...new Set(values)]);
  if (mean!.length === 1 && deviation!.length === 1)
    return {
      mean: Array<number>(channels).fill(mean![0]!),
      deviation: Array<number>(channels).fill(deviation![0]!),
    };
  const count = (n: number) => `${n} ${n === 1 ? "channel" : "channels"}`;
  throw new CuelabError({
    kind: "usage",
    what: `the pixels are to be standardised as those of ${count(given.mean.length)}, and the images have ${count(channels)}`,
    where: "--pixels, which with --weights is imagenet unless the file or you say otherwise",
    expected: `mean and deviation of ${count(channels)}`,
    got: `means ${given.mean.join(", ")}`,
    todo: "give --pixels data (mean and deviation of your training images), or --pixels half (0.5 and 0.5)",
  });
}

/** Over evenly spaced images, in units of 0–1. */
export async function pixelStatistics(
  { images }: Pick<Dataset, "images">,
  training: Uint32Array,
): Promise<PixelStatistics> {
  const { channels } = images.shape!;
  const sampled = Math.min(training.length, mostImages);
  // Sums of bytes and of their squares are whole numbers far below 2⁵³: nothing is rounded, so nothing cancels.
  const [sums, squares] = [new Float64Array(channels), new Float64Array(channels)];
  let count = 0;
  for (let i = 0; i < sampled; i++) {
    const { data } = await images.pixels(training[Math.floor((i * training.length) / sampled)]!);
    for (let at = 0; at < data.length; at++) {
      const value = data[at]!;
      sums[at % channels]! += value;
      squares[at % channels]! += value * value;
    }
    count += data.length / channels;
  }
  const mean = [...sums].map((sum) => sum / count / 255);
  const deviation = [...sums].map((sum, c) => {
    // n·Σx² − (Σx)² needs more digits than a float has.
    const spread = BigInt(count) * BigInt(squares[c]!) - BigInt(sum) ** 2n;
    const found = Math.sqrt(Number(spread)) / count / 255;
    return found < leastDeviation ? 1 : found;
  });
  return { mean, deviation };
}

const means = new WeakMap<Dataset, Promise<number[]>>();

/** Mean of each channel over the training images, in bytes. Statistics that were taken of them are not taken twice. */
export function trainingMean(
  { pixels }: Pick<RunSpec, "pixels">,
  dataset: Dataset,
  known: PixelStatistics | undefined,
): Promise<number[]> {
  const taken = async () => {
    const isOfData = known !== undefined && pixels === undefined;
    const { mean } = isOfData ? known : await pixelStatistics(dataset, indicesOf(dataset, "train"));
    return mean.map((value) => 255 * value);
  };
  const mean = means.get(dataset) ?? taken();
  means.set(dataset, mean);
  return mean;
}
