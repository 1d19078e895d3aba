/**
 * Ridge regression onto the classes, in closed form: scikit-learn's `RidgeClassifier`, with weights by which every class counts the
 * same. The least that can learn from numbers, so that what it reaches is in them.
 */

export interface RidgeRows {
  /** [rows, width]. */
  features: Float32Array;
  width: number;
  /** Of each row, from 0. */
  labels: ArrayLike<number>;
  classes: number;
}

export interface RidgeFit {
  /** The class with the highest score. */
  predict: (row: number) => number;
  scores: (row: number) => Float64Array;
}

/** Features are standardised over the rows that it is fitted to; those without spread tell nothing. */
export function fitRidge(data: RidgeRows, rows: readonly number[], alpha: number): RidgeFit {
  const { features, width, labels, classes } = data;
  const { mean, scale } = standardOf(data, rows);
  const weights = classWeights(labels, classes, rows);
  // [width, width] and [width, classes], of features less their weighted means, so that the intercept is no part of the fit.
  const centre = new Float64Array(width);
  const own = new Float64Array(width);
  const total = rows.length;
  const read = (row: number) => {
    for (let i = 0; i < width; i++) own[i] = (features[row * width + i]! - mean[i]!) * scale[i]!;
  };
  for (const row of rows) {
    read(row);
    const weight = weights[labels[row]!]! / total;
    for (let i = 0; i < width; i++) centre[i]! += weight * own[i]!;
  }
  const gram = new Float64Array(width * width);
  const ofClass = new Float64Array(classes * width);
  for (const row of rows) {
    read(row);
    const label = labels[row]!;
    const weight = weights[label]!;
    for (let i = 0; i < width; i++) own[i]! -= centre[i]!;
    for (let i = 0; i < width; i++) {
      const value = weight * own[i]!;
      ofClass[label * width + i]! += value;
      if (value === 0) continue;
      for (let j = i; j < width; j++) gram[i * width + j]! += value * own[j]!;
    }
  }
  for (let i = 0; i < width; i++) gram[i * width + i]! += alpha;
  const triangle = choleskyOf(gram, width);
  // Targets are 1 for the class and -1 for others; centred features have no product with a constant.
  const present = weights.map((weight) => (weight > 0 ? 1 : 0));
  const share = 1 / present.reduce((sum, one) => sum + one, 0);
  const coefficients = Array.from({ length: classes }, (_, label) =>
    solved(
      triangle,
      width,
      ofClass.subarray(label * width, (label + 1) * width).map((value) => 2 * value),
    ),
  );
  const scores = (row: number) => {
    read(row);
    for (let i = 0; i < width; i++) own[i]! -= centre[i]!;
    return Float64Array.from(coefficients, (each, label) => {
      // A class without rows is never chosen.
      if (present[label] === 0) return Number.NEGATIVE_INFINITY;
      let score = 2 * share - 1;
      for (let i = 0; i < width; i++) score += each[i]! * own[i]!;
      return score;
    });
  };
  return { scores, predict: (row) => largestOf(scores(row)) };
}

function standardOf({ features, width }: RidgeRows, rows: readonly number[]) {
  const [mean, scale] = [new Float64Array(width), new Float64Array(width)];
  for (const row of rows)
    for (let i = 0; i < width; i++) mean[i]! += features[row * width + i]! / rows.length;
  for (const row of rows)
    for (let i = 0; i < width; i++) scale[i]! += (features[row * width + i]! - mean[i]!) ** 2 / rows.length;
  // Rounding leaves constants a spread of some 1e-14.
  for (let i = 0; i < width; i++)
    scale[i] = scale[i]! < 1e-12 * (1 + mean[i]! ** 2) ? 0 : 1 / Math.sqrt(scale[i]!);
  return { mean, scale };
}

/** All classes that are there weigh the same, all rows together as much as they are. */
function classWeights(labels: ArrayLike<number>, classes: number, rows: readonly number[]): Float64Array {
  const counts = new Float64Array(classes);
  for (const row of rows) counts[labels[row]!]!++;
  const present = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  return counts.map((count) => (count === 0 ? 0 : rows.length / (present * count)));
}

/** The lower triangle L with LLᵀ of a symmetric matrix whose upper half is given. */
function choleskyOf(upper: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = upper[j * size + i]!;
      for (let k = 0; k < j; k++) sum -= lower[i * size + k]! * lower[j * size + k]!;
      // With a ridge on its diagonal the matrix is positive; features without spread have nothing else.
      lower[i * size + j] = i === j ? Math.sqrt(sum) : sum / lower[j * size + j]!;
    }
  }
  return lower;
}

function solved(lower: Float64Array, size: number, right: Float64Array): Float64Array {
  const x = right.slice();
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i * size + k]! * x[k]!;
    x[i]! /= lower[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i]! -= lower[k * size + i]! * x[k]!;
    x[i]! /= lower[i * size + i]!;
  }
  return x;
}

function largestOf(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[best]!) best = i;
  return best;
}
