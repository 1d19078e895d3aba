/**
 * Learning from multiple failures: learning from failure with two networks that follow the bias. The paper does not say how their
 * failures are put together, nor what keeps the two from following the same bias; both are settings here.
 */

import { z } from "zod";
import { add, maximum, mean, mul } from "../engine/expressions.ts";
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
import { urbanCars } from "./presets.ts";

/** In words, for people who wonder what was run. */
const rules = {
  mean: "an image counts by the mean of what it is worth beside each biased network",
  largest: "an image counts by the larger of what it is worth beside each biased network",
  start: "the second biased network differs from the first by its first weights alone",
  failures: "the second biased network learns more from what the first one fails at",
};

export const lfmf = defineMethod({
  name: "lfmf",
  version: 1,
  title: "Learning from multiple failures",
  paper: "Li et al. 2023, Appendix C",
  supervision: {},
  settings: z.object({
    ...failureSettings,
    combine: z
      .enum(["mean", "largest"])
      .default("mean")
      .describe("how the two weights of an image become one"),
    second: z
      .enum(["start", "failures"])
      .default("start")
      .describe(
        "what makes the second biased network another: its first weights, or that it learns from the first one's failures",
      ),
  }),
  search: { amplification: amplifications },
  presets: { "urban-cars": urbanCars({ amplification: 0.7 }) },
  *stages({ config: { amplification, momentum, combine, second }, labels, classes }) {
    const table = classTable(labels("train"), classes);
    yield {
      name: "train",
      notes: [rules[combine], rules[second]],
      build({ network, batch, state, own }) {
        const hardness = hardnessOf({ batch, state }, table, momentum);
        const losses = batch.losses(network.logits(batch.inputs));
        const d = hardness("debiased", losses);
        const biased = ["first", "second"].map((name) => {
          const its = batch.losses(own.twin(name).logits(batch.inputs));
          const { ofBatch, next } = hardness(name, its);
          return { easy: amplified(its, amplification), next, weights: relativeHardness(ofBatch, d.ofBatch) };
        });
        const [one, two] = biased as [(typeof biased)[0], (typeof biased)[0]];
        const weights =
          combine === "mean" ? mul(add(one.weights, two.weights), 0.5) : maximum(one.weights, two.weights);
        const learnt = second === "failures" ? mul(one.weights, two.easy) : two.easy;
        return {
          loss: add(mean(mul(weights, losses)), add(mean(one.easy), mean(learnt))),
          next: { debiased: d.next, first: one.next, second: two.next },
        };
      },
      infers(state) {
        const d = hardnessLeft(table, state("debiased"));
        const [one, two] = ["first", "second"].map((name) =>
          weightsLeft(hardnessLeft(table, state(name)), d),
        ) as [Float32Array, Float32Array];
        const both = one.map((a, i) => (combine === "mean" ? (a + two[i]!) / 2 : Math.max(a, two[i]!)));
        const judged = (scores: Float32Array) => ({ scores, threshold: 0.5 });
        return { weight: judged(both), first: judged(one), second: judged(two) };
      },
    };
    return undefined;
  },
});
