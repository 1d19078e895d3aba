/** IRMv1: one classifier should be best in every environment, so no scale of the logits may lower any one's loss. */

import { z } from "zod";
import { add, full, grad, mean, mul, reshape, sliceAxis, sum } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA } from "./presets.ts";

export const irmV1 = defineMethod({
  name: "irm-v1",
  version: 1,
  title: "Invariant risk minimisation, version 1",
  paper: "Arjovsky et al. 2019, as in Shrestha et al. 2022",
  supervision: { groups: ["train"] },
  settings: z.object({
    penaltyWeight: z.number().min(0).default(0.01).describe("λ: how much the squared gradients count"),
    environments: z.number().int().min(1).default(16).describe("environments a batch"),
    environmentsBy: z
      .enum(["groups", "cues"])
      .default("groups")
      .describe("what an environment is: a class with one value of each told cue, or the values alone"),
  }),
  // The values that Appendix A.2 lists, and the one that Table A6 says was chosen.
  search: { penaltyWeight: [0.01, 1, 10, 100, 1000, 10_000] },
  presets: {
    "biased-mnist": biasedMnist({ penaltyWeight: 0.01, environments: 16 }),
    celeba: celebA({ penaltyWeight: 1, environments: 4 }, { rate: 1e-4, weightDecay: 0 }),
  },
  *stages({ config, bias }) {
    const cues = config.environmentsBy === "cues" ? bias("train") : undefined;
    yield {
      name: "train",
      sampling: "environments",
      ...(cues && {
        groups: { codes: cues.codes, count: cues.sizes.length },
        notes: [
          `environments are the ${cues.sizes.length.toLocaleString("en")} combinations of the told cues' values, whatever the class`,
        ],
      }),
      build({ network, batch }) {
        const { count, size } = batch.environments(config.environments);
        const logits = network.logits(batch.inputs);
        // Each half of each environment has a scale of its own, so one gradient holds them all.
        const scale = full([count * 2, 1, 1], 1);
        const scaled = mul(reshape(logits, [count * 2, size / 2, -1]), scale);
        const risks = mean(reshape(batch.losses(reshape(scaled, logits.shape)), [count * 2, size / 2]), [1]);
        const [slopes] = grad(sum(risks), [scale]);
        // The product of two independent estimates is an unbiased one of the squared gradient (appendix D of the paper).
        const halves = reshape(slopes!, [count, 2]);
        const penalty = sum(mul(sliceAxis(halves, 1, 0, 1), sliceAxis(halves, 1, 1, 1)));
        return { loss: add(mean(risks), mul(penalty, config.penaltyWeight)) };
      },
    };
    return undefined;
  },
});
