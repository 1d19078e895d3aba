/** Empirical risk minimisation: the mean loss, and nothing else. Every other method is measured against it. */

import { z } from "zod";
import { mean } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, urbanCars } from "./presets.ts";

export const erm = defineMethod({
  name: "erm",
  title: "Empirical risk minimisation",
  paper: "Vapnik 1998",
  supervision: "none",
  settings: z.object({}),
  search: {},
  presets: {
    "biased-mnist": biasedMnist({}),
    celeba: celebA({}, { rate: 1e-3, weightDecay: 0 }),
    urbancars: urbanCars({}),
  },
  build: ({ network, batch }) => ({ loss: mean(batch.losses(network.logits(batch.images))) }),
});
