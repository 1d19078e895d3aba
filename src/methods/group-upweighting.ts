/** Group upweighting: every group counts the same, because a loss is divided by its group's share of the images. */

import { z } from "zod";
import { constant, gather, mean, mul } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA } from "./presets.ts";
import { once } from "./stage.ts";

export const groupUpweighting = defineMethod({
  name: "group-upweighting",
  version: 1,
  title: "Group upweighting",
  paper: "Sagawa et al. 2020, as in Shrestha et al. 2022",
  supervision: { groups: ["train"] },
  settings: z.object({}),
  search: {},
  presets: {
    "biased-mnist": biasedMnist({}),
    celeba: celebA({}, { rate: 1e-5, weightDecay: 0.1 }),
  },
  stages: once({
    convex: true,
    build({ network, batch, training }) {
      const sizes = Array.from(training.groupSizes);
      // N / n_g; the paper's text has 1 / n_g. The constant N matters to Adam's ε and beside weight decay.
      const weights = constant(
        sizes.map((size) => training.labels.length / size),
        [sizes.length],
      );
      const losses = batch.losses(network.logits(batch.inputs));
      return { loss: mean(mul(gather(weights, batch.groups), losses)) };
    },
  }),
});
