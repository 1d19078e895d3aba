/** How far the numbers of an autoencoder's codes depend on each other, and how many of them say anything. */

import { lookUp } from "../core/look-up.ts";
import { symmetricEigen } from "../core/symmetric-eigen.ts";
import type { Made } from "./method.ts";

/** Of an autoencoder's stage that was asked for features: weights of the posterior are applied to them here, in float64. */
export function codeStatistics(
  { weights, outputs }: Pick<Made, "weights" | "outputs">,
  latent: number,
): { numbers: Record<string, number>; notes: string[] } {
  const { features } = outputs[0]!;
  const layer = (name: string) => ({
    weight: lookUp(weights, `branch/posterior/${name}.weight`),
    bias: lookUp(weights, `branch/posterior/${name}.bias`),
  });
  const width = layer("mean").weight.length / latent;
  const images = features.length / width;
  const apply = ({ weight, bias }: ReturnType<typeof layer>) =>
    Float64Array.from({ length: images * latent }, (_, i) => {
      const [image, code] = [Math.floor(i / latent), i % latent];
      let total = bias[code]!;
      for (let k = 0; k < width; k++) total += weight[code * width + k]! * features[image * width + k]!;
      return total;
    });
  const means = apply(layer("mean"));
  const variances = apply(layer("logVariance")).map(Math.exp);
  const divergence = divergences(means, variances, latent);
  const active = divergence.filter((nats) => nats > leastActive).length;
  const correlation = totalCorrelation(aggregateCovariance(means, variances, latent), latent);
  const count = images.toLocaleString("en");
  return {
    numbers: {
      totalCorrelation: correlation,
      activeDimensions: active,
      divergence: divergence.reduce((a, b) => a + b, 0),
    },
    notes: [
      `${active} of ${latent} numbers of a code say more than ${leastActive} nats of an image; total correlation of codes, as of a normal distribution, ${correlation.toFixed(3)} nats over ${count} training images`,
    ],
  };
}

/** A number of the code that says less of the image than this, in nats, says nothing. */
const leastActive = 0.01;

/** Mean over images of KL(q(z_d|x)‖N(0, 1)), by dimension. */
export function divergences(means: Float64Array, variances: Float64Array, latent: number): number[] {
  const images = means.length / latent;
  return Array.from({ length: latent }, (_, code) => {
    let total = 0;
    for (let at = code; at < means.length; at += latent)
      total += (means[at]! ** 2 + variances[at]! - Math.log(variances[at]!) - 1) / 2;
    return total / images;
  });
}

/** Of a code drawn from the posterior of an image drawn at random: cov(μ) + diag(mean σ²). */
export function aggregateCovariance(
  means: Float64Array,
  variances: Float64Array,
  latent: number,
): Float64Array {
  const images = means.length / latent;
  const centre = new Float64Array(latent);
  for (const [at, value] of means.entries()) centre[at % latent]! += value / images;
  const covariance = new Float64Array(latent * latent);
  for (let image = 0; image < images; image++) {
    const row = image * latent;
    for (let a = 0; a < latent; a++) {
      const difference = means[row + a]! - centre[a]!;
      covariance[a * latent + a]! += variances[row + a]! / images;
      for (let b = 0; b < latent; b++)
        covariance[a * latent + b]! += (difference * (means[row + b]! - centre[b]!)) / images;
    }
  }
  return covariance;
}

/** KL(N(0, C)‖∏ N(0, C_dd)) = ½ (Σ log C_dd − log det C), in nats: what a normal distribution of these moments would have. */
export function totalCorrelation(covariance: Float64Array, size: number): number {
  const deviations = Array.from({ length: size }, (_, i) => Math.sqrt(covariance[i * size + i]!));
  const correlations = covariance.map(
    (value, at) => value / deviations[Math.floor(at / size)]! / deviations[at % size]!,
  );
  const { values } = symmetricEigen(correlations, size);
  return -values.reduce((total, value) => total + Math.log(value), 0) / 2;
}
