/** Learning from failure: a second network is made to follow the bias, and what it fails at counts more for the first. */

import { z } from "zod";
import {
  add,
  constant,
  div,
  exp,
  full,
  gather,
  greaterOrEqual,
  max,
  maximum,
  mean,
  mul,
  reshape,
  scatterAdd,
  stopGradient,
  sub,
  type Tensor,
  where,
} from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { biasedMnist, celebA, urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

/** Keeps quotients of losses that have vanished from being 0 / 0. */
const tiny = 1e-8;

export const lff = defineMethod({
  name: "lff",
  version: 1,
  title: "Learning from failure",
  paper: "Nam et al. 2020, as in Shrestha et al. 2022",
  supervision: {},
  settings: z.object({
    amplification: z
      .number()
      .min(0)
      .default(0.7)
      .describe("q of the generalised cross entropy: how much the second network prefers what is easy"),
    momentum: z.number().min(0).lt(1).default(0.7).describe("α: how much of an image's average loss is kept"),
  }),
  search: { amplification: [0.1, 0.3, 0.5, 0.7, 0.9] },
  presets: {
    "biased-mnist": biasedMnist({ amplification: 0.5 }),
    celeba: celebA({ amplification: 0.1 }, { name: "adam", rate: 1e-4, weightDecay: 0 }),
    "urban-cars": urbanCars({ amplification: 0.7 }),
  },
  stages: once({
    build({ network, batch, training, config, state, own }) {
      const logits = network.logits(batch.inputs);
      const debiasedLosses = batch.losses(logits);
      const biasedLosses = batch.losses(own.twin("biased").logits(batch.inputs));

      const table = classTable(training.labels, logits.shape[1]!);
      const places = gather(constant(table.places, [table.places.length], "int"), batch.indices);
      const averages = (name: string, losses: Tensor) => {
        const known = state(name, full([table.classes * table.columns], unseen));
        return averaged(known, places, stopGradient(losses), config.momentum);
      };
      const ofClass = (next: Tensor) => {
        const largest = max(reshape(next, [table.classes, table.columns]), [1]);
        return maximum(gather(largest, batch.labels), tiny);
      };
      const [biased, debiased] = [averages("biased", biasedLosses), averages("debiased", debiasedLosses)];
      const b = div(biased.ofBatch, ofClass(biased.next));
      const d = div(debiased.ofBatch, ofClass(debiased.next));
      const weights = div(b, add(add(b, d), tiny));

      // The gradient of (1 − p^q) / q is that of the cross entropy times p^q.
      const easiness = stopGradient(exp(mul(biasedLosses, -config.amplification)));
      return {
        loss: add(mean(mul(weights, debiasedLosses)), mean(mul(easiness, biasedLosses))),
        next: { biased: biased.next, debiased: debiased.next },
      };
    },
  }),
});

/** What stands for the average loss of an image that was in no batch yet; no loss is below 0. */
const unseen = -1;

/** Average losses after this batch: of its images, and of all. Every image is in a batch at most once. */
function averaged(known: Tensor, places: Tensor, losses: Tensor, momentum: number) {
  const before = gather(known, places);
  const moved = add(mul(before, momentum), mul(losses, 1 - momentum));
  const ofBatch = where(greaterOrEqual(before, 0), moved, losses);
  const size = known.shape[0]!;
  const kept = sub(1, scatterAdd(full(places.shape, 1), places, 0, size));
  return { ofBatch, next: add(mul(known, kept), scatterAdd(ofBatch, places, 0, size)) };
}

/** Training images by class, one row each, so that the largest value of a class costs one look at each image. */
function classTable(labels: ArrayLike<number>, classes: number) {
  const filled = new Int32Array(classes);
  const columnOf = Int32Array.from(labels, (label) => filled[label]!++);
  const columns = Math.max(...filled);
  return { classes, columns, places: columnOf.map((column, i) => labels[i]! * columns + column) };
}
