/** Several views of the same images in one step: what they need, and what the network makes of them. */

import { concat, sliceAxis, type Tensor } from "../engine/expressions.ts";
import { Chain } from "../views/chain.ts";
import type { ViewUse } from "../views/view.ts";
import type { Batch, NetworkExpressions, Supervision } from "./method.ts";

/** Features of the images as they are, and of each view; all in one pass, so that statistics of batches are of all together. */
export function featuresOfViews(
  network: Pick<NetworkExpressions, "features">,
  batch: Batch,
  names: readonly string[],
): Tensor[] {
  const views = [batch.inputs, ...names.map((name) => batch.view(name))];
  const together = network.features(concat(views, 0));
  return views.map((_, k) => sliceAxis(together, 0, k * batch.size, batch.size));
}

/** Pictures and boxes that the views read, and nothing else. */
export function neededBy(views: readonly ViewUse[]): Supervision {
  const needs = views.flatMap((use) => new Chain([use]).needs);
  const named = (kind: "side" | "box") => [
    ...new Set(needs.flatMap((need) => (need.kind === kind ? [need.name] : []))),
  ];
  const [sides, boxes] = [named("side"), named("box")];
  return { ...(sides.length > 0 && { sides }), ...(boxes.length > 0 && { boxes }) };
}
