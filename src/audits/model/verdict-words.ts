/** How verdicts are said. */

import type { VariantAnswer } from "./answer.ts";
import { interventions } from "./interventions/index.ts";

/** What an intervention only damages is no cue that could be relied on: the model is fragile there. */
export function verdictText({
  intervention,
  verdict,
}: Pick<VariantAnswer, "intervention" | "verdict">): string {
  if (verdict !== "reliance") return verdict;
  return interventions.get(intervention).damages ? "fragile" : "reliance";
}
