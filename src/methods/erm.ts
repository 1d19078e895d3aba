/** Empirical risk minimisation: the mean loss, and nothing else. Every other method is measured against it. */

import { z } from "zod";
import { meanLoss } from "./mean-loss.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, hardSpurious, urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

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
    "hard-spurious": hardSpurious({}),
  },
  stages: once({ convex: true, build: meanLoss }),
});
