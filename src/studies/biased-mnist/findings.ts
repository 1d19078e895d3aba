/** What the paper found on Biased MNIST, looked for in our runs and told whichever way it comes out. */

import type { Finding } from "../../core/section.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { RegisteredPlan } from "../study.ts";
import { partNamed } from "../summaries.ts";
import { claims } from "./claims.ts";
import { gapFindings } from "./gap-findings.ts";
import { methodFindings } from "./method-findings.ts";
import { settingFindings } from "./setting-findings.ts";

/** In the order of the plan. */
export function biasedMnistFindings(parts: readonly Measured[], { margin }: RegisteredPlan): Finding[] {
  const methods = partNamed(parts, "methods");
  const found: Record<keyof typeof claims, Finding> = {
    ...methodFindings({ methods, growing: partNamed(parts, "growing"), margin }),
    ...gapFindings(methods, partNamed(parts, "repeats"), margin),
    ...settingFindings(partNamed(parts, "strength"), partNamed(parts, "hyperparameters"), margin),
  };
  return (Object.keys(claims) as (keyof typeof claims)[]).map((name) => found[name]);
}
