/** Random networks of a pool: which one, and how it is trained. The seed and the number decide, not how many there are. */

import type { ImageShape } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { models } from "../models/index.ts";
import { type ModelOptions, parseModelOptions, resolveOptions } from "../models/model.ts";
import type { RunSpec } from "../training/run-spec.ts";
import { between, one, type Variety } from "./draw-classifiers.ts";

export interface PoolNetworkChoice {
  /** As it can be asked for: `small-cnn:width=8`. */
  label: string;
  name: string;
  options: ModelOptions;
}

export interface NetworkPlan {
  number: number;
  network: PoolNetworkChoice;
  optimiser: RunSpec["optimiser"]["name"];
  rate: number;
  weightDecay: number;
  batchSize: number;
  augmented: boolean;
  /** Undefined where the network has none. */
  dropout: number | undefined;
  /** Share of the training images that it sees. */
  subset: number;
  seed: number;
}

/** What Salaudeen et al. do to images, Appendix C.1. */
export const networkAugmentations = ["crop", "flip", "jitter", "grey"];

/** Images with fewer rows or columns take the networks that keep them at full size for a while. */
const fewPixels = 64;

/** Networks that train on two cores in seconds: that of Table 4 made narrow, and a plainer one. */
export function usualNetworks({ height, width }: ImageShape): string[] {
  return Math.min(height, width) < fewPixels
    ? ["mnist-convnet:width=8", "mnist-convnet:width=16", "small-cnn:width=8", "small-cnn:width=16"]
    : ["small-cnn:width=8", "small-cnn:width=16", "biased-mnist-cnn:width=8"];
}

/** A network by name is in its small form, where it has one; `name:option=value` sets options, more after further colons. */
export function networksNamed(names: readonly string[]): PoolNetworkChoice[] {
  return names.map((text) => {
    const [name, ...assignments] = text.split(":") as [string, ...string[]];
    const model = models.get(name);
    const asked = parseModelOptions(model, assignments);
    const given = assignments.map((assignment) => assignment.split("=")[0]!);
    const usual = resolveOptions(model, (model.small ?? {}) as ModelOptions);
    const options = { ...usual, ...Object.fromEntries(given.map((option) => [option, asked[option]!])) };
    const changed = Object.entries(options).filter(([option, value]) => value !== usual[option]);
    const label = [name, ...changed.map(([option, value]) => `${option}=${value}`)].join(":");
    return { label, name, options };
  });
}

export interface NetworkDrawOptions {
  seed: number;
  vary: Variety;
  networks: readonly PoolNetworkChoice[];
}

export function drawNetwork(number: number, { seed, vary, networks }: NetworkDrawOptions): NetworkPlan {
  // Every network once before any comes again.
  const round = Math.floor(number / networks.length);
  const order = randomStream(seed, "pool/network-order").at(round).permutation(networks.length);
  const network = networks[order[number % networks.length]!]!;
  const random = randomStream(seed, "pool/networks").at(number);
  const wide = vary === "wide";
  const optimiser = one(random, wide ? (["adam", "adamw", "sgd"] as const) : (["adam"] as const));
  // Steps of stochastic gradient descent are as long as the gradient, and those of Adam as long as the rate.
  const [low, high] = wide ? [-4.5, -1.5] : [-4, -2];
  const rate = 10 ** (between(random, low, high) + (optimiser === "sgd" ? 1 : 0));
  const weightDecay = 10 ** between(random, -6, wide ? -1 : -2);
  const batchSize = Math.round(2 ** between(random, 3, wide ? 7 : 5.5));
  const augmented = random.boolean(0.5);
  const dropout = one(random, [0, 0.1, 0.5]);
  const subset = 10 ** between(random, -1.3, 0);
  const whole = random.boolean(0.5) || !wide;
  return {
    number,
    network,
    optimiser,
    rate: short(rate),
    weightDecay: short(weightDecay),
    batchSize,
    augmented,
    dropout: Object.hasOwn(network.options, "dropout") ? dropout : undefined,
    subset: whole ? 1 : short(subset),
    seed: random.uint32(),
  };
}

/** Digits enough to search with, and the same text whatever the last bits of the power. */
function short(value: number): number {
  return Number(value.toPrecision(6));
}
