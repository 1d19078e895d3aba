/** Features with mean 0 and deviation 1, and the layer over them as a layer over features as they are. */

import { CuelabError } from "../../core/errors.ts";
import type { Weights } from "../../methods/method.ts";

export interface FeatureScale {
  mean: Float64Array;
  deviation: Float64Array;
}

/**
 * Over so many rows, which come in blocks, in the same order each time they are asked for. In two passes, so that nothing
 * cancels; a feature that never changes is left as it is.
 */
export async function featureScale(
  blocks: () => AsyncIterable<Float32Array> | Iterable<Float32Array>,
  rows: number,
  width: number,
): Promise<FeatureScale> {
  const [mean, squares] = [new Float64Array(width), new Float64Array(width)];
  for await (const block of blocks())
    for (let at = 0; at < block.length; at += width)
      for (let k = 0; k < width; k++) mean[k]! += block[at + k]! / rows;
  for await (const block of blocks())
    for (let at = 0; at < block.length; at += width)
      for (let k = 0; k < width; k++) squares[k]! += (block[at + k]! - mean[k]!) ** 2;
  return { mean, deviation: squares.map((total) => Math.sqrt(total / rows) || 1) };
}

/** In place. */
export function scaled<Features extends Float32Array>(
  features: Features,
  width: number,
  { mean, deviation }: FeatureScale,
): Features {
  for (let at = 0; at < features.length; at += width)
    for (let k = 0; k < width; k++) features[at + k] = (features[at + k]! - mean[k]!) / deviation[k]!;
  return features;
}

/** The layers of a stage over scaled features, by the names of their weights, for features as they are: w/σ and b − Σ w·μ/σ. */
export function unscaledLayers(
  weights: Weights,
  layers: readonly string[],
  { mean, deviation }: FeatureScale,
): Map<string, Float32Array> {
  return changedLayers(weights, layers, mean.length, (weight, bias) => {
    const width = mean.length;
    const direct = weight.map((value, i) => value / deviation[i % width]!);
    return {
      weight: direct,
      bias: bias.map((value, row) => {
        let shift = 0;
        for (let k = 0; k < width; k++) shift += direct[row * width + k]! * mean[k]!;
        return value - shift;
      }),
    };
  });
}

/** The other way round: w·σ and b + Σ w·μ, so that a layer over features as they are goes on over scaled ones. */
export function scaledLayers(
  weights: Weights,
  layers: readonly string[],
  { mean, deviation }: FeatureScale,
): Map<string, Float32Array> {
  return changedLayers(weights, layers, mean.length, (weight, bias) => {
    const width = mean.length;
    return {
      weight: weight.map((value, i) => value * deviation[i % width]!),
      bias: bias.map((value, row) => {
        let shift = 0;
        for (let k = 0; k < width; k++) shift += weight[row * width + k]! * mean[k]!;
        return value + shift;
      }),
    };
  });
}

interface Layer {
  weight: Float32Array;
  bias: Float32Array;
}

/** Each pair of `x.weight` and `x.bias`: a row of as many numbers as there are features for each number of the bias. */
function changedLayers(
  weights: Weights,
  layers: readonly string[],
  width: number,
  change: (weight: Float32Array, bias: Float32Array) => Layer,
): Map<string, Float32Array> {
  const changed = new Map(weights);
  for (const name of layers) {
    const biasName = name.replace(/\.weight$/, ".bias");
    const [weight, bias] = [weights.get(name), weights.get(biasName)];
    if (
      weight === undefined ||
      bias === undefined ||
      name === biasName ||
      weight.length !== bias.length * width
    )
      throw new CuelabError({
        kind: "failure",
        what: `a stage that standardises features trains "${name}"`,
        expected:
          "linear layers over the features alone: only these can be put back into units of the features",
      });
    const layer = change(weight, bias);
    changed.set(name, layer.weight);
    changed.set(biasName, layer.bias);
  }
  return changed;
}
