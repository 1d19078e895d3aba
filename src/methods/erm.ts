/** Empirical risk minimisation: the mean loss, and nothing else. Every other method is measured against it. */

import { z } from "zod";
import { mean } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, urbanCars } from "./presets.ts";
import { once, type StageContext, type Step } from "./stage.ts";

export const erm = defineMethod({
  name: "erm",
  version: 1,
  title: "Empirical risk minimisation",
  paper: "Vapnik 1998",
  supervision: {},
  settings: z.object({}),
  search: {},
  presets: {
    "biased-mnist": biasedMnist({}),
    celeba: celebA({}, { rate: 1e-3, weightDecay: 0 }),
    "urban-cars": urbanCars({}),
  },
  stages: once({ build: meanLoss }),
});

/** What others begin, or end, with. */
export function meanLoss({ network, batch }: Pick<StageContext, "network" | "batch">): Step {
  return { loss: mean(batch.losses(network.logits(batch.inputs))) };
}
