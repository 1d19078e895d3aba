/** Domain-independent training: a head for each combination of cues, trained on its own images; all of them predict. */

import { z } from "zod";
import { add, gather, matmul, mean, reshape, type Tensor, transpose } from "../engine/expressions.ts";
import { torchBias, torchWeight } from "../engine/training/initialisers.ts";
import { defineMethod, type Own } from "./method.ts";
import { urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

export const domainIndependent = defineMethod({
  name: "domain-independent",
  version: 1,
  title: "Domain-independent training",
  paper: "Wang et al. 2020, as in Li et al. 2023",
  supervision: { groups: ["train"] },
  settings: z.object({}),
  search: {},
  presets: { "urban-cars": urbanCars({}) },
  stages: once({
    convex: true,
    build({ network, batch, training, own, classes }) {
      const features = network.features(batch.inputs);
      const [size, width] = features.shape as [number, number];
      const { weight, bias } = headsOf(own, { domains: training.biasCount, classes, width });
      // Each image with the head of its own domain: [batch, classes, features] · [batch, features, 1].
      const chosen = reshape(gather(weight, batch.bias), [size, classes, width]);
      const products = reshape(matmul(chosen, reshape(features, [size, width, 1])), [size, classes]);
      return { loss: mean(batch.losses(add(products, gather(bias, batch.bias)))) };
    },
  }),
  // The mean of the heads' logits is what the mean head says.
  predict({ network, own, inputs, classes, known }) {
    const features = network.features(inputs);
    const width = features.shape[1]!;
    const heads = headsOf(own, { domains: known.bias("train").sizes.length, classes, width });
    const weight = reshape(mean(heads.weight, [0]), [classes, width]);
    return add(matmul(features, transpose(weight)), mean(heads.bias, [0]));
  },
});

interface HeadsShape {
  domains: number;
  classes: number;
  width: number;
}

/** A row a domain; each head begins as a linear layer of its own would. */
function headsOf(own: Own, { domains, classes, width }: HeadsShape): { weight: Tensor; bias: Tensor } {
  const head = [classes, width];
  own.asHead("heads");
  return {
    weight: own.parameter("heads.weight", [domains, classes * width], (_, stream) =>
      torchWeight()([domains * classes, width], stream),
    ),
    bias: own.parameter("heads.bias", [domains, classes], torchBias(head)),
  };
}
