/** What the batch size means for these data, where it is not what one would think. */

import type { Stage } from "../../methods/stage.ts";
import type { RunSpec } from "../run-spec.ts";
import type { StagePlan } from "./stage-plan.ts";

export function batchNotes(
  { sampling = "shuffled", batch, inputs }: Stage,
  plan: StagePlan,
  { batchSize }: Pick<RunSpec, "batchSize">,
): string[] {
  const count = (n: number) => n.toLocaleString("en");
  const { count: images } = plan;
  const kind = plan.part === "train" ? "training" : "validation";
  if (inputs === "none" || batch === "full") return [];
  if (sampling !== "shuffled" || plan.weights !== undefined) {
    return [`an epoch draws ${count(images)} ${kind} images with replacement, as whole batches allow`];
  }
  if (batchSize > images && batch === undefined) {
    return [
      `all ${count(images)} ${kind} images make one batch: the batch size of ${count(batchSize)} is larger`,
    ];
  }
  const dropped = images % plan.batchSize;
  if (dropped === 0) return [];
  return [`${count(dropped)} of ${count(images)} ${kind} images, others each time, are left out of an epoch`];
}
