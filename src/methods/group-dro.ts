/** Group DRO: a weight for each group rises with the group's loss, so that the worst group counts most. */

import { z } from "zod";
import { exp, full, meanByGroup, mul, normalise, stopGradient, sum } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, urbanCars } from "./presets.ts";
import { once, type StageContext, type Step } from "./stage.ts";

export const groupDro = defineMethod({
  name: "group-dro",
  version: 1,
  title: "Group distributionally robust optimisation",
  paper: "Sagawa et al. 2020",
  supervision: { groups: ["train"] },
  settings: z.object({
    stepSize: z
      .number()
      .positive()
      .default(0.01)
      .describe("η: how fast the groups' weights follow their losses"),
  }),
  search: { stepSize: [0.001, 0.01, 0.1] },
  presets: {
    "biased-mnist": biasedMnist({ stepSize: 0.001 }),
    celeba: celebA({ stepSize: 0.01 }, { rate: 1e-5, weightDecay: 0.1 }),
    "urban-cars": urbanCars({ stepSize: 0.01 }),
  },
  stages: once({
    sampling: "balanced-groups",
    build: ({ training, config, ...context }) =>
      groupDroStep(context, training.groupSizes.length, config.stepSize),
  }),
});

/** Over groups that somebody tells, or that were inferred. */
export function groupDroStep(
  { network, batch, state }: Pick<StageContext, "network" | "batch" | "state">,
  groups: number,
  stepSize: number,
): Step {
  const losses = batch.losses(network.logits(batch.inputs));
  // A group that is not in the batch has loss 0: its weight changes by the normalisation alone.
  const groupLosses = meanByGroup(losses, batch.groups, groups);
  const q = state("q", full([groups], 1 / groups));
  const raised = normalise(mul(q, exp(mul(stopGradient(groupLosses), stepSize))));
  return { loss: sum(mul(raised, groupLosses)), next: { q: raised } };
}
