/** Mean and deviation of each channel of the training images. */

import type { Dataset } from "../core/dataset.ts";
import type { PixelStatistics } from "../models/model.ts";

const mostImages = 2000;
/** A channel that (nearly) never changes is left as it is rather than blown up. */
const leastDeviation = 1e-4;

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
