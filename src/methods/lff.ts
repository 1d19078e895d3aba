/** Learning from failure: a second network is made to follow the bias, and what it fails at counts more for the first. */

import { z } from "zod";
import { add, mean, mul } from "../engine/expressions.ts";
import {
  amplifications,
  amplified,
  classTable,
  failureSettings,
  hardnessLeft,
  hardnessOf,
  relativeHardness,
  weightsLeft,
} from "./failures.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

export const lff = defineMethod({
  name: "lff",
  version: 1,
  title: "Learning from failure",
  paper: "Nam et al. 2020, as in Shrestha et al. 2022",
  supervision: {},
  settings: z.object(failureSettings),
  search: { amplification: amplifications },
  presets: {
    "biased-mnist": biasedMnist({ amplification: 0.5 }),
    celeba: celebA({ amplification: 0.1 }, { name: "adam", rate: 1e-4, weightDecay: 0 }),
    "urban-cars": urbanCars({ amplification: 0.7 }),
  },
  stages: once({
    build({ network, batch, training, config, state, own, classes }) {
      const debiasedLosses = batch.losses(network.logits(batch.inputs));
      const biasedLosses = batch.losses(own.twin("biased").logits(batch.inputs));
      const hardness = hardnessOf({ batch, state }, classTable(training.labels, classes), config.momentum);
      const [b, d] = [hardness("biased", biasedLosses), hardness("debiased", debiasedLosses)];
      const weights = relativeHardness(b.ofBatch, d.ofBatch);
      return {
        loss: add(mean(mul(weights, debiasedLosses)), mean(amplified(biasedLosses, config.amplification))),
        next: { biased: b.next, debiased: d.next },
      };
    },
    // Above a half: harder for the network that follows the bias than for the one that should not.
    infers(state, { training, classes }) {
      const table = classTable(training.labels, classes);
      const [b, d] = [hardnessLeft(table, state("biased")), hardnessLeft(table, state("debiased"))];
      return { weight: { scores: weightsLeft(b, d), threshold: 0.5 } };
    },
  }),
});
