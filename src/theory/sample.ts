/** Draws rows of a domain as they would be observed: features and a label of ±1. */

import { type Random, weightedChooser } from "../core/random.ts";
import type { Domain, World } from "./domain.ts";
import { cholesky, product, type RealMatrix, timesVector } from "./matrix.ts";

export interface Sample {
  count: number;
  /** Columns: the domain-general ones first, then the spurious. */
  width: number;
  /** [count, width] */
  rows: Float64Array;
  labels: Int8Array;
}

export function drawSample(world: World, domain: Domain, count: number, random: Random): Sample {
  const { meanGeneral, covarianceGeneral, meanSpurious, covarianceSpurious, labelNoise } = world;
  const width = meanGeneral.length + meanSpurious.length;
  const general = { mean: Float64Array.from(meanGeneral), spread: flat(cholesky(covarianceGeneral)) };
  const lower = cholesky(covarianceSpurious);
  // M (Yμ + L g) = Y Mμ + (M L) g: the shift costs nothing a row.
  const spurious = domain.map(({ shift }) => ({
    mean: Float64Array.from(timesVector(shift, meanSpurious)),
    spread: flat(product(shift, lower)),
  }));
  const choose = weightedChooser(domain.map(({ weight }) => weight));
  const rows = new Float64Array(count * width);
  const labels = new Int8Array(count);
  for (let i = 0; i < count; i++) {
    const label = random.boolean(0.5) ? 1 : -1;
    labels[i] = label;
    const followed = labelNoise > 0 && random.boolean(labelNoise) ? -label : label;
    const part = spurious[domain.length === 1 ? 0 : choose(random)]!;
    const at = i * width;
    drawNormal(rows, at, followed, general.mean, general.spread, random);
    drawNormal(rows, at + meanGeneral.length, label, part.mean, part.spread, random);
  }
  return { count, width, rows, labels };
}

/** Only the first rows. */
export function firstRows({ width, rows, labels }: Sample, count: number): Sample {
  return { count, width, rows: rows.subarray(0, count * width), labels: labels.subarray(0, count) };
}

function drawNormal(
  rows: Float64Array,
  at: number,
  sign: number,
  mean: Float64Array,
  spread: Float64Array,
  random: Random,
): void {
  const size = mean.length;
  for (let j = 0; j < size; j++) rows[at + j] = sign * mean[j]!;
  for (let k = 0; k < size; k++) {
    const draw = random.normal();
    for (let j = 0; j < size; j++) rows[at + j]! += spread[j * size + k]! * draw;
  }
}

function flat(matrix: RealMatrix): Float64Array {
  return Float64Array.from(matrix.flat());
}
