/** How hard each training image is for a network beside the hardest of its class: what learning from failure weighs images by. */

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
  mul,
  reshape,
  scatterAdd,
  stopGradient,
  sub,
  type Tensor,
  where,
} from "../engine/expressions.ts";
import type { Batch } from "./method.ts";
import type { StageContext } from "./stage.ts";

/** Settings of methods that learn from a biased network's failures, and values to search. */
export const failureSettings = {
  amplification: z
    .number()
    .min(0)
    .default(0.7)
    .describe("q of the generalised cross entropy: how much a biased network prefers what is easy"),
  momentum: z.number().min(0).lt(1).default(0.7).describe("α: how much of an image's average loss is kept"),
};
export const amplifications = [0.1, 0.3, 0.5, 0.7, 0.9];

/** Keeps quotients of losses that have vanished from being 0 / 0. */
const tiny = 1e-8;

/** What stands for the average loss of an image that was in no batch yet; no loss is below 0. */
const unseen = -1;

/** Training images by class, one row each, so that the largest value of a class costs one look at each image. */
export function classTable(labels: ArrayLike<number>, classes: number) {
  const filled = new Int32Array(classes);
  const columnOf = Int32Array.from(labels, (label) => filled[label]!++);
  const columns = Math.max(...filled);
  return { classes, columns, places: columnOf.map((column, i) => labels[i]! * columns + column) };
}

export type ClassTable = ReturnType<typeof classTable>;

export interface Hardness {
  /** Of the batch's images: the average loss of each by the largest of its class. */
  ofBatch: Tensor;
  /** What the state becomes. */
  next: Tensor;
}

/** Gives, for each network by the name of its state, how hard the batch's images are for it. */
export function hardnessOf(
  { batch, state }: { batch: Batch; state: StageContext["state"] },
  table: ClassTable,
  momentum: number,
): (name: string, losses: Tensor) => Hardness {
  const places = gather(constant(table.places, [table.places.length], "int"), batch.indices);
  return (name, losses) => {
    const known = state(name, full([table.classes * table.columns], unseen));
    const { ofBatch, next } = averaged(known, places, stopGradient(losses), momentum);
    const largest = max(reshape(next, [table.classes, table.columns]), [1]);
    return { ofBatch: div(ofBatch, maximum(gather(largest, batch.labels), tiny)), next };
  };
}

/** Average losses after this batch: of its images, and of all. Every image is in a batch at most once. */
function averaged(known: Tensor, places: Tensor, losses: Tensor, momentum: number): Hardness {
  const before = gather(known, places);
  const moved = add(mul(before, momentum), mul(losses, 1 - momentum));
  const ofBatch = where(greaterOrEqual(before, 0), moved, losses);
  const size = known.shape[0]!;
  const kept = sub(1, scatterAdd(full(places.shape, 1), places, 0, size));
  return { ofBatch, next: add(mul(known, kept), scatterAdd(ofBatch, places, 0, size)) };
}

/** b / (b + d): how much an image counts that is b hard for the biased network and d hard for the other. */
export function relativeHardness(b: Tensor, d: Tensor): Tensor {
  return div(b, add(add(b, d), tiny));
}

/** A loss whose gradient is that of (1 − p^q) / q: the cross entropy times p^q, held fast. */
export function amplified(losses: Tensor, q: number): Tensor {
  return mul(stopGradient(exp(mul(losses, -q))), losses);
}

/** Hardness of all training images as a state has left it, in their order; NaN of those that were in no batch. */
export function hardnessLeft({ classes, columns, places }: ClassTable, averages: Float32Array): Float32Array {
  const largest = Array.from({ length: classes }, (_, label) =>
    averages.subarray(label * columns, (label + 1) * columns).reduce((a, b) => Math.max(a, b), tiny),
  );
  return Float32Array.from(places, (place) => {
    const average = averages[place]!;
    return average === unseen ? Number.NaN : average / largest[Math.floor(place / columns)]!;
  });
}

/** Relative hardness of all training images, as numbers. */
export function weightsLeft(biased: Float32Array, debiased: Float32Array): Float32Array {
  return biased.map((b, i) => b / (b + debiased[i]! + tiny));
}
