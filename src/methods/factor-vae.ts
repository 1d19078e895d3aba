/**
 * Factor-VAE: beside the bound the total correlation of codes is made small, as a discriminator estimates it that tells codes from
 * codes whose numbers come from different images (Kim & Mnih 2018, algorithm 2).
 */

import { z } from "zod";
import {
  add,
  cast,
  constant,
  crossEntropy,
  equal,
  leakyRelu,
  less,
  matmul,
  mean,
  mul,
  reshape,
  sliceAxis,
  stopGradient,
  sub,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { defineMethod, type Own } from "./method.ts";
import { besideNetwork, type StageContext } from "./stage.ts";
import {
  asPrinted,
  boundOf,
  variationalPrediction,
  variationalSettings,
  variationalStages,
} from "./variational.ts";

const settings = z.object({
  ...variationalSettings,
  gamma: z.number().min(0).default(20).describe("γ: how much total correlation counts"),
  discriminatorRate: z.number().positive().default(1e-5).describe("Adam's rate for the discriminator"),
  discriminatorWidth: z.number().int().min(1).default(1000).describe("of each of its six hidden layers"),
  permuted: z
    .enum(["half", "second-batch"])
    .default("half")
    .describe(
      "codes whose numbers are permuted over images: of the second half of the batch, beside those of the first, or of a second batch",
    ),
});

type FactorConfig = z.output<typeof settings>;

/** Of leaky ReLU below 0, as the published program has it. */
const slope = 0.2;
const hiddenLayers = 6;

export const factorVae = defineMethod({
  name: "factor-vae",
  version: 1,
  title: "Factor-VAE",
  paper: "Kim & Mnih 2018, as in Eulig et al. 2021",
  supervision: {},
  settings,
  search: { gamma: [10, 20, 30, 40, 50, 100], latent: [6, 12, 24] },
  presets: { "diagvib-study": asPrinted({ latent: 12, gamma: 20, discriminatorRate: 1e-5 }) },
  stages: (known) =>
    variationalStages(known, (context) => {
      const { config } = known;
      const { codes, reconstruction, divergence } = boundOf(context, config);
      const said = judged(context.own, codes, config);
      // log D/(1 − D) is the difference of its two logits.
      const correlation = reshape(sub(sliceAxis(said, 1, 0, 1), sliceAxis(said, 1, 1, 1)), [codes.shape[0]!]);
      return {
        loss: mean(add(add(reconstruction, divergence), mul(correlation, config.gamma))),
        moves: ["network", "posterior", "decoder"],
        further: [
          besideNetwork(
            discriminatorLoss(context, stopGradient(codes), config),
            "discriminator",
            config.discriminatorRate,
          ),
        ],
        columns: { reconstruction, divergence, totalCorrelation: correlation },
      };
    }),
  ...variationalPrediction,
});

/** ½·CE of codes as the first kind and ½·CE of permuted ones as the second. */
function discriminatorLoss(context: StageContext, codes: Tensor, config: FactorConfig): Tensor {
  const [joint, others] = codesFor(context, codes, config);
  const count = others.shape[0]!;
  const draws = context.random("permutations", [config.latent, count]);
  const kinds = (kind: number, size: number) => constant(new Float64Array(size).fill(kind), [size], "int");
  const of = (seen: Tensor, kind: number) =>
    mean(crossEntropy(judged(context.own, seen, config), kinds(kind, seen.shape[0]!)));
  return mul(add(of(joint, 0), of(permuted(others, draws), 1)), 0.5);
}

/** Codes to be told from permuted ones, and those that are permuted. */
function codesFor(context: StageContext, codes: Tensor, config: FactorConfig): [Tensor, Tensor] {
  if (config.permuted === "second-batch") {
    const other = boundOf({ ...context, batch: context.other(), random: secondNoise(context) }, config);
    return [codes, stopGradient(other.codes)];
  }
  const half = Math.floor(codes.shape[0]! / 2);
  // One image has no second half: it is its own.
  if (half === 0) return [codes, codes];
  return [sliceAxis(codes, 0, 0, half), sliceAxis(codes, 0, half, half)];
}

function secondNoise({ random }: StageContext): StageContext["random"] {
  return (name, ...rest) => random(`second ${name}`, ...rest);
}

/** [batch, latent] → two logits: a code as it is, and one of numbers that were put together. */
function judged(own: Own, codes: Tensor, { discriminatorWidth }: FactorConfig): Tensor {
  const layers = own.layers("discriminator");
  let x = codes;
  for (let layer = 0; layer < hiddenLayers; layer++)
    x = leakyRelu(layers.linear(`hidden.${layer}`, x, discriminatorWidth), slope);
  return layers.linear("out", x, 2);
}

/** Each column of [count, latent] in another order, by the ranks of draws [latent, count]; equal ones as they stand. */
export function permuted(codes: Tensor, draws: Tensor): Tensor {
  const [count, latent] = codes.shape as [number, number];
  const [rows, columns] = [reshape(draws, [latent, count, 1]), reshape(draws, [latent, 1, count])];
  const earlier = constant(
    Array.from({ length: count * count }, (_, i) => (i % count < Math.floor(i / count) ? 1 : 0)),
    [1, count, count],
  );
  const before = add(cast(less(columns, rows), "float"), mul(cast(equal(columns, rows), "float"), earlier));
  const ranks = sum(before, [2], { keep: true });
  const places = constant(
    Array.from({ length: count }, (_, i) => i),
    [1, 1, count],
  );
  // Row i of a column's matrix has its one where the rank of draw i is.
  const orders = cast(equal(ranks, places), "float");
  const taken = matmul(orders, reshape(transpose(codes), [latent, count, 1]));
  return transpose(reshape(taken, [latent, count]));
}
