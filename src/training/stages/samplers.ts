/** Which training images a batch holds, from the seed, the epoch and the step alone. */

import type { NumberedGroups } from "../../core/grouping.ts";
import { randomStream, weightedChooser } from "../../core/random.ts";
import type { Environments } from "../../methods/method.ts";
import type { Sampling } from "../../methods/stage.ts";

/** The batches of an epoch: places among a stage's images, for a step within it. */
export type Sampler = (epoch: number) => (step: number) => Uint32Array;

export interface SamplerOptions {
  seed: number;
  /** Put before the purposes of random numbers. */
  scope?: string;
  images: number;
  batchSize: number;
  stepsPerEpoch: number;
  groups?: NumberedGroups | undefined;
  environments?: Environments | undefined;
}

export function samplerOf(sampling: Sampling, options: SamplerOptions): Sampler {
  switch (sampling) {
    case "shuffled":
      return shuffled(options);
    case "balanced-groups":
      return balancedGroups(options);
    case "environments":
      return environmentBatches(options);
    default:
      return sampling satisfies never;
  }
}

/** What decides the order of an epoch's images. */
type OrderOptions = Pick<SamplerOptions, "seed" | "scope" | "images"> & {
  /** Where its epochs begin among the stream's numbers, where several share a seed and a scope. */
  firstEpoch?: number;
};

/** Every image once. */
function orderOf(epoch: number, { seed, scope = "", images, firstEpoch = 0 }: OrderOptions): Uint32Array {
  return randomStream(seed, `${scope}order`)
    .at(firstEpoch + epoch)
    .permutation(images);
}

/**
 * Every image at most once before any comes again: what would be a smaller batch at the end is dropped. That takes an epoch, or
 * several where epochs are shorter.
 */
function shuffled(options: SamplerOptions): Sampler {
  const { images, batchSize, stepsPerEpoch } = options;
  const steps = Math.floor(images / batchSize);
  let known: { round: number; order: Uint32Array } | undefined;
  return (epoch) => (step) => {
    const at = epoch * stepsPerEpoch + step;
    const round = Math.floor(at / steps);
    if (known?.round !== round) known = { round, order: orderOf(round, options) };
    const from = (at - round * steps) * batchSize;
    return Uint32Array.from(known.order.subarray(from, from + batchSize));
  };
}

/**
 * The same orders one after the other with nothing dropped, so that every image comes once before any comes again: batches
 * go over the ends of epochs. The batch is written into the same memory at every step.
 */
export function endlessSampler(
  options: OrderOptions & Pick<SamplerOptions, "batchSize">,
): (step: number) => Uint32Array {
  const { images, batchSize } = options;
  const batch = new Uint32Array(batchSize);
  let known: { epoch: number; order: Uint32Array } | undefined;
  return (step) => {
    for (let i = 0, place = step * batchSize; i < batchSize; i++, place++) {
      const epoch = Math.floor(place / images);
      if (known?.epoch !== epoch) known = { epoch, order: orderOf(epoch, options) };
      batch[i] = known.order[place - epoch * images]!;
    }
    return batch;
  };
}

/** All images in every step, in their order: how many there are, or their places. */
export function wholeSampler(images: number | Uint32Array): Sampler {
  const all = typeof images === "number" ? Uint32Array.from({ length: images }, (_, place) => place) : images;
  return () => () => all;
}

/** Each image as often as its weight says, with replacement. */
export function weightedSampler(
  weights: Float32Array,
  { seed, scope = "", batchSize, stepsPerEpoch }: SamplerOptions,
): Sampler {
  const choose = weightedChooser(weights);
  const stream = randomStream(seed, `${scope}weighted`);
  return (epoch) => (step) => {
    const random = stream.at(epoch * stepsPerEpoch + step);
    return Uint32Array.from({ length: batchSize }, () => choose(random));
  };
}

/** Each image with probability 1 / (groups × size of its group), with replacement: a group, then one of its images. */
function balancedGroups({ seed, scope = "", batchSize, stepsPerEpoch, groups }: SamplerOptions): Sampler {
  const { members, sizes } = groups!;
  const stream = randomStream(seed, `${scope}balanced groups`);
  return (epoch) => (step) => {
    const random = stream.at(epoch * stepsPerEpoch + step);
    return Uint32Array.from({ length: batchSize }, () => {
      const group = members(random.integer(sizes.length));
      return group[random.integer(group.length)]!;
    });
  };
}

/** Different groups, each as likely as any other, and images of each with replacement: a group may have only one. */
function environmentBatches({
  seed,
  scope = "",
  stepsPerEpoch,
  groups,
  environments,
}: SamplerOptions): Sampler {
  const { count, size } = environments!;
  const { members, sizes } = groups!;
  const stream = randomStream(seed, `${scope}environments`);
  return (epoch) => (step) => {
    const random = stream.at(epoch * stepsPerEpoch + step);
    // Chosen one by one and not from a shuffled list of all, of which there may be tens of thousands.
    const chosen = new Set<number>();
    while (chosen.size < count) chosen.add(random.integer(sizes.length));
    const places = [...chosen].flatMap((code) => {
      const group = members(code);
      return Array.from({ length: size }, () => group[random.integer(group.length)]!);
    });
    return Uint32Array.from(places);
  };
}

/**
 * As many environments as are wanted and there are, or the next smaller number that divides the batch into equal parts
 * of two halves; undefined for a batch of an odd number of images.
 */
export function environmentsOf(batchSize: number, wanted: number, groups: number): Environments | undefined {
  for (let count = Math.min(wanted, groups, batchSize); count > 0; count--) {
    if (batchSize % (2 * count) === 0) return { count, size: batchSize / count };
  }
  return undefined;
}
