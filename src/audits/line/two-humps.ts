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
const mostRounds = 200;
/** In log likelihood; the evidence that is asked for is a thousand times that. */
const enoughGain = 0.01;

interface Normal {
  mean: number;
  deviation: number;
  share: number;
}

/** From the counts of 400 equal steps; undefined where the numbers do not vary. */
export function twoHumps(values: Float64Array): TwoHumps | undefined {
  const heap = histogram(values);
  if (heap === undefined) return undefined;
  const found = starts
    .map(([low, high]) => mixture(heap, [quantileOf(heap, low), quantileOf(heap, high)]))
    .reduce((best, other) => (other.logLikelihood > best.logLikelihood ? other : best));
  const one = logLikelihood(heap, moments(heap, heap.counts));
  const [a, b] = found.parts;
  const [lower, upper] = a.mean < b.mean ? [a, b] : [b, a];
  return {
    lower,
    upper,
    deltaBic: 2 * (found.logLikelihood - one) - 3 * Math.log(values.length),
    separation: (upper.mean - lower.mean) / Math.sqrt((lower.deviation ** 2 + upper.deviation ** 2) / 2),
    valley: valleyOf(values, lower, upper),
    border: borderBetween(lower, upper),
  };
}

/** Quantiles at which the two means begin: heaps of one size, a small upper one, a small lower one. */
const starts = [
  [0.25, 0.75],
  [0.4, 0.95],
  [0.05, 0.6],
] as const;

/** The steps that hold numbers: their middles and counts. */
interface Heap {
  places: Float64Array;
  counts: Float64Array;
  width: number;
}

function histogram(values: Float64Array): Heap | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const width = (most - least) / steps;
  if (!(width > 0)) return undefined;
  const counts = new Float64Array(steps);
  for (const value of values) counts[Math.min(steps - 1, Math.floor((value - least) / width))]!++;
  const held = [...counts.keys()].filter((i) => counts[i]! > 0);
  return {
    places: Float64Array.from(held, (i) => least + (i + 0.5) * width),
    counts: Float64Array.from(held, (i) => counts[i]!),
    width,
  };
}

function moments({ places, width }: Heap, counts: Float64Array): Normal {
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
  heap: Heap,
  [first, second]: readonly [number, number],
): { parts: readonly [Normal, Normal]; logLikelihood: number } {
  const { places, counts } = heap;
  const deviation = moments(heap, counts).deviation / 2;
  let parts: readonly [Normal, Normal] = [
    { mean: first, deviation, share: 0.5 },
    { mean: second, deviation, share: 0.5 },
  ];
  const n = counts.reduce((sum, count) => sum + count, 0);
  const [mine, others] = [new Float64Array(places.length), new Float64Array(places.length)];
  let before = Number.NEGATIVE_INFINITY;
  for (let round = 0; ; round++) {
    let [likelihood, size] = [0, 0];
    for (let i = 0; i < places.length; i++) {
      const [a, b] = [density(places[i]!, parts[0]), density(places[i]!, parts[1])];
      likelihood += counts[i]! * Math.log(Math.max(a + b, Number.MIN_VALUE));
      mine[i] = a + b > 0 ? (counts[i]! * a) / (a + b) : counts[i]! / 2;
      others[i] = counts[i]! - mine[i]!;
      size += mine[i]!;
    }
    // A heap of less than one number is none; and where hardly anything is gained any more, all is found.
    const done = likelihood - before < enoughGain || round === mostRounds || Math.min(size, n - size) < 1;
    if (done) return { parts, logLikelihood: likelihood };
    before = likelihood;
    parts = [
      { ...moments(heap, mine), share: size / n },
      { ...moments(heap, others), share: 1 - size / n },
    ];
  }
}

function density(x: number, { mean, deviation, share }: Normal): number {
  const z = (x - mean) / deviation;
  return ((share / deviation) * Math.exp(-0.5 * z * z)) / Math.sqrt(2 * Math.PI);
}

function logLikelihood({ places, counts }: Heap, normal: Normal): number {
  let total = 0;
  for (let i = 0; i < places.length; i++) {
    total += counts[i]! * Math.log(Math.max(density(places[i]!, normal), Number.MIN_VALUE));
  }
  return total;
}

function quantileOf({ places, counts }: Heap, p: number): number {
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
