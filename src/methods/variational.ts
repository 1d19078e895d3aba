/**
 * What variational autoencoders share (Kingma & Welling 2014): the run's network as encoder, a decoder of their own, the bound, and
 * a head that reads classes from the posterior's mean when the rest has been trained without labels.
 */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import {
  add,
  concat,
  constant,
  exp,
  mean,
  mul,
  relu,
  reshape,
  sigmoid,
  sliceAxis,
  softplus,
  sub,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { decode } from "../models/decoder.ts";
import { preparePixels } from "../models/pixels.ts";
import { codeStatistics } from "./code-statistics.ts";
import type { Known, Made, Own, PredictContext, Preset } from "./method.ts";
import { diagvib } from "./presets.ts";
import { plainAdam, type Stage, type StageContext } from "./stage.ts";

export const variationalSettings = {
  latent: z.number().int().min(1).max(512).default(12).describe("numbers of a code"),
  decoderWidth: z
    .number()
    .int()
    .min(1)
    .default(32)
    .describe("filters of the decoder's last hidden stages, and half of the first ones'"),
  head: z
    .enum(["perceptron", "linear"])
    .default("perceptron")
    .describe("what reads the class from the posterior's mean: one hidden layer, or none"),
  headWidth: z.number().int().min(1).default(256).describe("of the perceptron's hidden layer"),
  headRate: z.number().positive().default(1e-3).describe("Adam's rate for the head"),
};

export const variationalSchema = z.object(variationalSettings);
export type VariationalConfig = z.output<typeof variationalSchema>;

/** Rate, batch size and latent size are printed; epochs, patience and how classes are read are not. */
export function asPrinted<Settings>(settings: Settings): Preset<Settings> {
  return diagvib(settings, 1e-4, "30 epochs are those of this project's ResNet-18");
}

export interface Posterior {
  /** Both [batch, latent]. */
  mean: Tensor;
  logVariance: Tensor;
}

export interface Bound {
  posterior: Posterior;
  /** A sample of the posterior: [batch, latent]. */
  codes: Tensor;
  /** −log p(x|z) of each image, pixels as probabilities: [batch]. */
  reconstruction: Tensor;
  /** KL(q(z|x)‖N(0, I)) of each: [batch]. */
  divergence: Tensor;
}

/** The bound of a batch's images, its two terms by themselves. */
export function boundOf(
  { network, own, batch, random }: Pick<StageContext, "network" | "own" | "batch" | "random">,
  config: VariationalConfig,
): Bound {
  checkImages(batch.inputs);
  const posterior = posteriorOf(own, network.features(batch.inputs), config);
  const { mean: centre, logVariance } = posterior;
  const codes = sampled(posterior, random("codes", centre.shape, "normal"));
  const pixels = unitPixels(batch.inputs);
  const logits = decoded(own, codes, pixels.shape, config);
  // −[x·log σ(l) + (1 − x)·log(1 − σ(l))] = softplus(l) − x·l
  const reconstruction = sum(sub(softplus(logits), mul(pixels, logits)), [1, 2, 3]);
  // ½ Σ (μ² + σ² − log σ² − 1)
  const terms = sub(add(mul(centre, centre), exp(logVariance)), add(logVariance, 1));
  return { posterior, codes, reconstruction, divergence: mul(sum(terms, [1]), 0.5) };
}

/** By what the method adds to the bound; no labels are read. */
function autoencoderStage(build: Stage["build"]): Stage {
  return { name: "autoencoder", length: "run", selected: { by: "loss" }, wants: [], build };
}

/** Images whose codes are looked at for total correlation. */
const mostExamined = 10_000;

/** Trains the autoencoder, then the head on the means of its posteriors, which stay as they are. */
export function* variationalStages(
  { config, labels, classes }: Pick<Known<VariationalConfig>, "config" | "labels" | "classes">,
  autoencoder: Stage["build"],
): Generator<Stage, undefined, Made> {
  const examined = Uint32Array.from({ length: Math.min(labels("train").length, mostExamined) }, (_, i) => i);
  const trained = yield {
    ...autoencoderStage(autoencoder),
    wants: [{ of: { part: "train", places: examined }, features: true }],
  };
  const { numbers, notes } = codeStatistics(trained, config.latent);
  yield {
    name: "classes",
    inputs: "features",
    freeze: ["posterior"],
    optimiser: plainAdam(config.headRate),
    numbers,
    notes: [headInWords[config.head], ...notes],
    build: ({ own, batch }) => ({
      loss: mean(batch.losses(classesOf(own, posteriorOf(own, batch.inputs, config).mean, classes, config))),
    }),
  };
  return undefined;
}

const headInWords = {
  perceptron: "classes are read from the posterior's mean by one hidden layer; the autoencoder saw none",
  linear: "classes are read from the posterior's mean by a linear layer; the autoencoder saw none",
};

type VariationalContext = PredictContext<VariationalConfig>;

export const variationalPrediction = {
  predict: ({ network, own, inputs, classes, known: { config } }: VariationalContext): Tensor =>
    classesOf(own, posteriorOf(own, network.features(inputs), config).mean, classes, config),
  shows: {
    codes: (context: VariationalContext) => meanOf(context),
    /** As stored images are: [batch, rows, columns, channels], from 0 to 1. */
    reconstruction: (context: VariationalContext) => transpose(reconstructed(context), [0, 2, 3, 1]),
  },
  draws: { reconstructions: drawReconstructions, traversals: drawTraversals },
};

/** Images above, what is decoded of their means below. */
function drawReconstructions(context: VariationalContext): Tensor {
  const seen = unitPixels(context.inputs);
  return reshape(concat([seen, reconstructed(context)], 0), [2, ...seen.shape]);
}

/** What a number of the code is moved to: of its prior, about all. */
const moved = Array.from({ length: 11 }, (_, i) => -3 + 0.6 * i);

/** A row a number of the code, which goes from −3 to 3 while the others stay as they are for the first image. */
function drawTraversals(context: VariationalContext): Tensor {
  const { own, inputs, known } = context;
  const { latent } = known.config;
  const pixels = unitPixels(inputs);
  const first = sliceAxis(meanOf(context), 0, 0, 1);
  const { keeps, values } = traversal(latent);
  const codes = add(mul(first, keeps), values);
  const shown = sigmoid(decoded(own, codes, pixels.shape, known.config));
  return reshape(shown, [latent, moved.length, ...pixels.shape.slice(1)]);
}

/** For each code of a traversal which numbers stay, and what the others are: both [latent · values, latent]. */
function traversal(latent: number): { keeps: Tensor; values: Tensor } {
  const shape = [latent * moved.length, latent];
  const at = (of: (row: number, column: number) => number) =>
    constant(
      Array.from({ length: shape[0]! * latent }, (_, i) => of(Math.floor(i / latent), i % latent)),
      shape,
    );
  const isMoved = (row: number, column: number) => Math.floor(row / moved.length) === column;
  return {
    keeps: at((row, column) => (isMoved(row, column) ? 0 : 1)),
    values: at((row, column) => (isMoved(row, column) ? moved[row % moved.length]! : 0)),
  };
}

function meanOf({ network, own, inputs, known: { config } }: VariationalContext): Tensor {
  return posteriorOf(own, network.features(inputs), config).mean;
}

/** Of the mean of each image's posterior: [batch, channels, rows, columns], from 0 to 1. */
function reconstructed(context: VariationalContext): Tensor {
  const { own, inputs, known } = context;
  return sigmoid(decoded(own, meanOf(context), unitPixels(inputs).shape, known.config));
}

function posteriorOf(own: Own, features: Tensor, { latent }: VariationalConfig): Posterior {
  const layers = own.layers("posterior");
  return {
    mean: layers.linear("mean", features, latent),
    logVariance: layers.linear("logVariance", features, latent),
  };
}

/** μ + σ·ε */
function sampled({ mean: centre, logVariance }: Posterior, noise: Tensor): Tensor {
  return add(centre, mul(exp(mul(logVariance, 0.5)), noise));
}

/** Logits of pixels: [batch, channels, rows, columns]. */
function decoded(
  own: Own,
  codes: Tensor,
  [, channels, height, width]: readonly number[],
  { decoderWidth }: VariationalConfig,
): Tensor {
  const sides = { height: height!, width: width!, channels: channels! };
  return decode(own.layers("decoder"), codes, { ...sides, filters: decoderWidth, dense: 8 * decoderWidth });
}

function classesOf(own: Own, codes: Tensor, classes: number, { head, headWidth }: VariationalConfig): Tensor {
  const layers = own.layers("classes");
  const seen = head === "linear" ? codes : relu(layers.linear("hidden", codes, headWidth));
  return layers.linear("out", seen, classes);
}

function unitPixels(images: Tensor): Tensor {
  return preparePixels(images, "unit");
}

function checkImages({ dtype, shape }: Tensor): void {
  if (dtype === "byte" && shape.length === 4) return;
  throw new CuelabError({
    kind: "usage",
    what: "an autoencoder puts images together again, and features are none",
    expected: "a run on images",
    todo: "give --data and --model instead of features, or take another method",
  });
}
