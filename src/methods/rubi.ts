/** RUBi: a branch that sees only the bias masks the logits in training, so that what it already knows is not learned. */

import { z } from "zod";
import { add, gather, mean, mul, sigmoid, transpose } from "../engine/expressions.ts";
import { torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA } from "./presets.ts";

export const rubi = defineMethod({
  name: "rubi",
  title: "Reducing unimodal biases",
  paper: "Cadene et al. 2019, as in Shrestha et al. 2022",
  supervision: "train-groups",
  settings: z.object({}),
  search: {},
  presets: {
    "biased-mnist": biasedMnist({}),
    celeba: celebA({}, { rate: 1e-4, weightDecay: 1e-5 }),
  },
  build({ network, batch, training, parameter }) {
    const logits = network.logits(batch.images);
    const shape = [logits.shape[1]!, training.biasCount];
    const weight = parameter("bias.weight", shape, torchWeight());
    const offset = parameter("bias.bias", [shape[0]!], torchBias(shape));
    // A linear layer on the one-hot bias is a choice of columns. [batch, classes]
    const biasLogits = add(transpose(gather(weight, batch.bias, 1)), offset);
    // The gradient flows through the mask into the branch, as in practice.
    const masked = mul(logits, sigmoid(biasLogits));
    return { loss: mean(add(batch.losses(masked), batch.losses(biasLogits))) };
  },
});
