/** A run whose numbers leave the numbers ends there, and says where. */

import { CuelabError } from "../core/errors.ts";
import type { Stage } from "../methods/stage.ts";

/** Larger losses than this are numbers only by name. */
const explodedLoss = 1e8;

export function checkLoss(
  loss: number,
  { name, unboundedLoss }: Pick<Stage, "name" | "unboundedLoss">,
  { epoch, step }: { epoch: number; step: number },
): void {
  const most = unboundedLoss ? Number.MAX_VALUE : explodedLoss;
  const stage = name === "train" ? "" : `stage "${name}", `;
  if (!(Math.abs(loss) < most)) throw diverged(loss, `${stage}epoch ${epoch + 1}, step ${step + 1}`);
}

/** Weights that gave the last step a loss can still be past all numbers after it. */
export function checkFinite(value: number, where: string): void {
  if (!Number.isFinite(value)) throw diverged(value, where);
}

function diverged(value: number, where: string): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: Number.isFinite(value) ? "the loss exploded" : "the loss is no longer a number",
    where,
    got: `${value}`,
    todo: "lower --lr, add --clip 1 or --warm-up 100, or check the data for extreme values; then start over with --force",
  });
}
