/** Whether numbers come from two heaps: a mixture of two normal distributions against one, and an empty place between. */

export interface TwoHumps {
  lower: { mean: number; deviation: number; share: number };
  upper: { mean: number; deviation: number; share: number };
  /** How much lower the Bayesian information criterion is with two; three parameters more. */
  deltaBic: number;
  /** Distance of the means in deviations: Ashman's D. Above 2 the heaps part. */
  separation: number;
  /** How dense the numbers lie between the heaps, as a share of the density in the thinner heap. */
  valley: number;
  /** Between the means, where a number is as likely of one heap as of the other. */
  border: number;
}

const steps = 400;
const mostRounds = 300;

interface Normal {
  mean: number;
  deviation: number;
  share: number;
}

/** From the counts of 400 equal steps; undefined where the numbers do not vary. */
export function twoHumps(values: Float64Array): TwoHumps | undefined {
  const { counts, left, width } = histogram(values);
  if (!(width > 0)) return undefined;
  const n = values.length;
  const places = counts.map((_, i) => left + (i + 0.5) * width);
  const whole = moments(places, counts, width);
  const starts = [
    [0.25, 0.75],
    [0.05, 0.6],
    [0.4, 0.95],
  ] as const;
  const found = starts
    .map(([a, b]) =>
      mixture(places, counts, [quantileOf(places, counts, a), quantileOf(places, counts, b)], width),
    )
    .reduce((best, other) => (other.logLikelihood > best.logLikelihood ? other : best));
  const one = logLikelihood(places, counts, [whole]);
  const [lower, upper] =
    found.parts[0].mean < found.parts[1].mean ? found.parts : [found.parts[1], found.parts[0]];
  const border = borderBetween(lower, upper);
  return {
    lower,
    upper,
    deltaBic: 2 * (found.logLikelihood - one) - 3 * Math.log(n),
    separation: (upper.mean - lower.mean) / Math.sqrt((lower.deviation ** 2 + upper.deviation ** 2) / 2),
    valley: valleyOf(values, lower, upper),
    border,
  };
}

function histogram(values: Float64Array): { counts: Float64Array; left: number; width: number } {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const width = (most - least) / steps;
  const counts = new Float64Array(steps);
  if (width > 0) {
    for (const value of values) counts[Math.min(steps - 1, Math.floor((value - least) / width))]!++;
  }
  return { counts, left: least, width };
}

function moments(places: Float64Array, counts: Float64Array, width: number): Normal {
  let [n, sum, squares] = [0, 0, 0];
  for (let i = 0; i < places.length; i++) {
    n += counts[i]!;
    sum += counts[i]! * places[i]!;
  }
  const mean = sum / n;
  for (let i = 0; i < places.length; i++) squares += counts[i]! * (places[i]! - mean) ** 2;
  return { mean, deviation: Math.max(width, Math.sqrt(squares / n)), share: 1 };
}

/** Expectation and maximisation from two first means. */
function mixture(
  places: Float64Array,
  counts: Float64Array,
  [first, second]: readonly [number, number],
  width: number,
): { parts: [Normal, Normal]; logLikelihood: number } {
  const { deviation } = moments(places, counts, width);
  let parts: [Normal, Normal] = [
    { mean: first, deviation: deviation / 2, share: 0.5 },
    { mean: second, deviation: deviation / 2, share: 0.5 },
  ];
  let before = Number.NEGATIVE_INFINITY;
  let likelihood = logLikelihood(places, counts, parts);
  for (let round = 0; round < mostRounds && likelihood - before > 1e-6; round++) {
    const weights = parts.map(() => new Float64Array(places.length));
    for (let i = 0; i < places.length; i++) {
      const [a, b] = [density(places[i]!, parts[0]), density(places[i]!, parts[1])];
      const share = a + b > 0 ? a / (a + b) : 0.5;
      weights[0]![i] = counts[i]! * share;
      weights[1]![i] = counts[i]! * (1 - share);
    }
    const n = counts.reduce((sum, count) => sum + count, 0);
    const sizes = weights.map((column) => column.reduce((sum, weight) => sum + weight, 0));
    // A heap of less than one number is none; the other one then tells all.
    if (Math.min(...sizes) < 1) break;
    parts = weights.map((column, k) => ({ ...moments(places, column, width), share: sizes[k]! / n })) as [
      Normal,
      Normal,
    ];
    before = likelihood;
    likelihood = logLikelihood(places, counts, parts);
  }
  return { parts, logLikelihood: likelihood };
}

function density(x: number, { mean, deviation, share }: Normal): number {
  return ((share / deviation) * Math.exp(-0.5 * ((x - mean) / deviation) ** 2)) / Math.sqrt(2 * Math.PI);
}

function logLikelihood(places: Float64Array, counts: Float64Array, parts: readonly Normal[]): number {
  let total = 0;
  for (let i = 0; i < places.length; i++) {
    if (counts[i] === 0) continue;
    const sum = parts.reduce((all, part) => all + density(places[i]!, part), 0);
    total += counts[i]! * Math.log(Math.max(sum, Number.MIN_VALUE));
  }
  return total;
}

function quantileOf(places: Float64Array, counts: Float64Array, p: number): number {
  const wanted = p * counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let i = 0; i < places.length; i++) {
    seen += counts[i]!;
    if (seen >= wanted) return places[i]!;
  }
  return places.at(-1)!;
}

/** Density of the middle fifth between the means over that within half a deviation of each mean. */
function valleyOf(values: Float64Array, lower: Normal, upper: Normal): number {
  const distance = upper.mean - lower.mean;
  const densityIn = (from: number, to: number) => {
    let count = 0;
    for (const value of values) if (value >= from && value <= to) count++;
    return count / (to - from);
  };
  const middle = densityIn(lower.mean + 0.4 * distance, lower.mean + 0.6 * distance);
  const heaps = [lower, upper].map(({ mean, deviation }) =>
    densityIn(mean - deviation / 2, mean + deviation / 2),
  );
  const thinner = Math.min(...heaps);
  return thinner > 0 ? middle / thinner : 1;
}

function borderBetween(lower: Normal, upper: Normal): number {
  let [from, to] = [lower.mean, upper.mean];
  for (let step = 0; step < 60; step++) {
    const middle = (from + to) / 2;
    if (density(middle, lower) > density(middle, upper)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}
