/** RUBi: a branch that sees only the bias masks the logits in training, so that what it already knows is not learned. */

import { z } from "zod";
import { add, gather, mean, mul, sigmoid, transpose } from "../engine/expressions.ts";
import { torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA } from "./presets.ts";
import { once } from "./stage.ts";

export const rubi = defineMethod({
  name: "rubi",
  version: 1,
  title: "Reducing unimodal biases",
  paper: "Cadene et al. 2019, as in Shrestha et al. 2022",
  supervision: { groups: ["train"] },
  settings: z.object({}),
  search: {},
  presets: {
    "biased-mnist": biasedMnist({}),
    celeba: celebA({}, { rate: 1e-4, weightDecay: 1e-5 }),
  },
  stages: once({
    build({ network, batch, training, own }) {
      const logits = network.logits(batch.inputs);
      const shape = [logits.shape[1]!, training.biasCount];
      const weight = own.parameter("bias.weight", shape, torchWeight());
      const offset = own.parameter("bias.bias", [shape[0]!], torchBias(shape));
      // A linear layer on the one-hot bias is a choice of columns. [batch, classes]
      const biasLogits = add(transpose(gather(weight, batch.bias, 1)), offset);
      // The gradient flows through the mask into the branch, as in practice.
      const masked = mul(logits, sigmoid(biasLogits));
      return { loss: mean(add(batch.losses(masked), batch.losses(biasLogits))) };
    },
  }),
});
