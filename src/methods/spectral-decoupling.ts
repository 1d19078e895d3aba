/** Spectral decoupling: logits are pulled towards a point, so that no feature starves the others of gradient. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { add, constant, gather, mean, mul, pick, reshape, square, sub, sum } from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, lastLayerOfImageNet, urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

const numberOrList = z.union([z.number(), z.array(z.number()).min(1)]);

export const spectralDecoupling = defineMethod({
  name: "spectral-decoupling",
  version: 1,
  title: "Spectral decoupling",
  paper: "Pezeshki et al. 2021, as in Shrestha et al. 2022",
  supervision: {},
  settings: z.object({
    decay: numberOrList
      .default(1e-3)
      .describe("λ: how strongly logits are pulled; one number, or one a class"),
    shift: numberOrList.default(1e-3).describe("γ: where they are pulled to; one number, or one a class"),
    form: z
      .enum(["all-logits", "true-class", "mean-square"])
      .default("all-logits")
      .describe("½λ‖z − γ‖², ½λ(z_y − γ)² of the true class alone, or λ times the mean of (z − γ)²"),
  }),
  search: {
    decay: [1e-3, 1e-2, 0.1, 1, 10, 100],
    shift: [1e-3, 1e-2, 0.1, 1, 10, 100],
  },
  presets: {
    "biased-mnist": biasedMnist({ decay: 1e-3, shift: 1e-3 }),
    // These values pull one logit; all logits pulled to one point with λ = 10 would tell no classes apart.
    celeba: celebA(
      { decay: [10, 10], shift: [0.44, 2.5], form: "true-class" as const },
      { rate: 1e-4, weightDecay: 1e-5 },
    ),
    "urban-cars": urbanCars({ decay: 0.1, shift: 0, form: "mean-square" as const }, { weightDecay: 0 }),
    // 0.1 was poor there.
    imagenet: lastLayerOfImageNet({ decay: 1e-4, shift: 0, form: "mean-square" as const }),
  },
  stages: once({
    convex: true,
    build({ network, batch, config }) {
      const logits = network.logits(batch.inputs);
      const classes = logits.shape[1]!;
      // [batch]: the value of each image's class.
      const byClass = (name: string, values: number | number[]) =>
        gather(constant(oneEach(name, values, classes), [classes]), batch.labels);
      const [decay, shift] = [byClass("decay", config.decay), byClass("shift", config.shift)];
      const all = square(sub(logits, reshape(shift, [-1, 1])));
      const pulls = {
        "all-logits": () => mul(sum(all, [1]), 0.5),
        "true-class": () => mul(square(sub(pick(logits, batch.labels), shift)), 0.5),
        "mean-square": () => mean(all, [1]),
      };
      return { loss: mean(add(batch.losses(logits), mul(decay, pulls[config.form]()))) };
    },
  }),
});

function oneEach(name: string, values: number | number[], classes: number): number[] {
  const list = typeof values === "number" ? Array.from({ length: classes }, () => values) : values;
  if (list.length === classes) return list;
  throw new CuelabError({
    kind: "usage",
    what: `setting "${name}" does not fit the classes`,
    expected: `one number, or ${classes} of them, one a class`,
    got: `${list.length} numbers`,
  });
}
