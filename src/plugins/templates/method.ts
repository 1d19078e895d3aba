/** A method to begin with: ERM in which images that are got wrong count more, by one setting. */

import { titled } from "./titled.ts";

export const methodTemplate = (
  name: string,
): string => `/** ${name}: one stage of training, by an equation of its own. */

import { definePlugin, defineMethod, once } from "cuelab/plugin";
import { div, exp, mean, mul, neg, stopGradient, sub, sum } from "cuelab/engine";
import { z } from "zod";

const method = defineMethod({
  name: "${name}",
  // Raise it whenever equal settings and seed would give other weights.
  version: 1,
  title: "${titled(name)}",
  paper: "unpublished",
  // What it may see beside images and classes: { groups: ["train"] } for the labels of cues.
  supervision: {},
  settings: z.object({
    power: z.number().min(0).default(1).describe("how much more images count that are got wrong"),
  }),
  search: { power: [0.5, 1, 2] },
  presets: {},
  stages: once({
    build: ({ network, batch, config }) => {
      const losses = batch.losses(network.logits(batch.inputs)); // [batch]
      // 1 − exp(−loss) is how far the probability of the true class is from 1.
      const hardness = sub(1, exp(neg(stopGradient(losses))));
      const weights = exp(mul(hardness, config.power));
      return { loss: sum(mul(div(weights, sum(weights)), losses)), columns: { hardness: mean(hardness) } };
    },
  }),
});

export default definePlugin({ methods: [method] });
`;
