/** Learning not to learn: a head learns to read the bias from the features, and the features learn to hide it. */

import { z } from "zod";
import {
  add,
  crossEntropy,
  logSoftmax,
  matmul,
  mean,
  mul,
  scaleGradient,
  softmax,
  stopGradient,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA } from "./presets.ts";
import { once } from "./stage.ts";

export const lnl = defineMethod({
  name: "lnl",
  version: 1,
  title: "Learning not to learn",
  paper: "Kim et al. 2019, as in Shrestha et al. 2022",
  supervision: { groups: ["train"] },
  settings: z.object({
    gradientScale: z
      .number()
      .max(0)
      .default(-0.1)
      .describe("λ_adv: what the bias head's gradient is multiplied by on its way into the encoder"),
    entropyWeight: z.number().min(0).default(0.01).describe("λ_ent: how much an unsure bias head is worth"),
    layer: z
      .string()
      .min(1)
      .default("features")
      .describe(
        "what the bias head reads: the last features, or the mean of an earlier layer's map, such as layer2",
      ),
  }),
  search: { gradientScale: [-1, -0.1, -0.01], entropyWeight: [1, 0.1, 0.01, 0] },
  presets: {
    "biased-mnist": biasedMnist({ gradientScale: -0.1, entropyWeight: 0.01 }),
    // What was published reads the pooled map of the second stage of ResNet-18.
    celeba: celebA(
      { gradientScale: -0.1, entropyWeight: 0, layer: "layer2" },
      { rate: 1e-4, weightDecay: 1e-4 },
    ),
  },
  stages: once({
    unboundedLoss: true,
    build({ network, batch, training, config, own }) {
      const features = network.features(batch.inputs);
      const read = config.layer === "features" ? features : network.layer(batch.inputs, config.layer);
      const shape = [training.biasCount, read.shape[1]!];
      const weight = own.parameter("bias.weight", shape, torchWeight());
      const offset = own.parameter("bias.bias", [shape[0]!], torchBias(shape));

      // First the network alone moves: towards the classes, and to features that leave the bias head unsure.
      const seen = linear(read, stopGradient(weight), stopGradient(offset));
      const negativeEntropy = sum(mul(softmax(seen), logSoftmax(seen)), [1]);
      const loss = add(
        mean(batch.losses(network.head(features))),
        mul(mean(negativeEntropy), config.entropyWeight),
      );

      // Then the bias head learns, and the encoder gets its gradient turned round.
      const adversarial = linear(scaleGradient(read, config.gradientScale), weight, offset);
      return { loss, further: [{ loss: mean(crossEntropy(adversarial, batch.bias)) }] };
    },
  }),
});

/** [batch, inputs] → [batch, outputs]. */
function linear(x: Tensor, weight: Tensor, offset: Tensor): Tensor {
  return add(matmul(x, transpose(weight)), offset);
}
