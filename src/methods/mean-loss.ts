/** The mean cross entropy of a batch: what most methods begin, or end, with. */

import { mean } from "../engine/expressions.ts";
import type { StageContext, Step } from "./stage.ts";

export function meanLoss({ network, batch }: Pick<StageContext, "network" | "batch">): Step {
  return { loss: mean(batch.losses(network.logits(batch.inputs))) };
}
