/** The chains of views that a stage's batches come by: the run's own, and each view of the stage with these after it. */

import { CuelabError } from "../../core/errors.ts";
import type { Stage } from "../../methods/stage.ts";
import { Chain } from "../../views/chain.ts";
import { resolveUse } from "../../views/resolve-use.ts";
import type { ResolvedUse } from "../../views/view.ts";
import { type Chains, ownChain } from "../make-batch.ts";
import type { RunSpec } from "../run-spec.ts";
import type { MethodData } from "./method-data.ts";

type ViewedStage = Pick<Stage, "name" | "views">;

/** With every setting and version written out, for ids. */
export function resolvedViews({ views = {} }: Pick<Stage, "views">): Record<string, ResolvedUse[]> {
  return Object.fromEntries(
    Object.entries(views).map(([name, uses]) => [name, [uses].flat().map(resolveUse)]),
  );
}

export function chainsOf(
  stage: ViewedStage,
  { augment }: Pick<RunSpec, "augment">,
  data: MethodData,
): Chains {
  const views = resolvedViews(stage);
  for (const [name, uses] of Object.entries(views)) checkView(name, uses, stage, data);
  return {
    ...Object.fromEntries(Object.entries(views).map(([name, uses]) => [name, [...uses, ...augment]])),
    [ownChain]: augment,
  };
}

/** A method reaches what its supervision names, also through a view. */
function checkView(
  name: string,
  uses: readonly ResolvedUse[],
  { name: stage }: ViewedStage,
  { method, supervision }: MethodData,
): void {
  const refused = (what: string, expected: string) =>
    new CuelabError({
      kind: "failure",
      what: `view "${name}" of stage "${stage}" of method "${method.name}" ${what}`,
      expected,
    });
  if (name === ownChain) throw refused("has the name of the run's own images", "another name");
  const chain = new Chain(uses);
  if (chain.mixing) throw refused("mixes whole batches, which is the run's choice", "views of single images");
  for (const need of chain.needs) {
    const key = need.kind === "side" ? "sides" : "boxes";
    if (!supervision[key]?.includes(need.name))
      throw refused(
        `needs the ${need.kind} "${need.name}", which its supervision does not name`,
        `supervision: { ${key}: ["${need.name}"] }`,
      );
  }
}
