/** Stages over features as convex problems that are solved to their end, where a run asks for that instead of steps. */

import { CuelabError } from "../../core/errors.ts";
import type { Stage } from "../../methods/stage.ts";
import type { RunSpec } from "../run-spec.ts";
import type { MethodData } from "./method-data.ts";
import { isMethodState } from "./method-state.ts";
import type { StagePrograms } from "./stage-programs.ts";

/** A stage with a length of its own is meant to end before its end; one that is solved already has its own problem. */
export function solvedToTheEnd(stage: Stage, { l1, l2 }: NonNullable<RunSpec["lastLayer"]>): Stage {
  if (stage.length !== undefined || stage.solve !== undefined) return stage;
  return {
    ...stage,
    batch: "full",
    selected: false,
    solve: { l1, l2, over: "mean" },
    penalise: { l1: 0, l2: 0 },
  };
}

/** What changes from step to step has no end that could be solved for. */
export function checkSolvable(
  { name, sampling = "shuffled", from, views = {}, convex }: Stage,
  { passes, batches, state, parameters }: StagePrograms,
  { method }: MethodData,
): void {
  const drawn = typeof from === "object" && "weights" in from;
  const reasons = [
    ...(state.names.some(isMethodState) ? ["it keeps numbers from step to step"] : []),
    ...(passes.length > 1 ? [`it takes ${passes.length} updates a step`] : []),
    ...(batches.length > 1 ? ["it takes two batches a step"] : []),
    ...(sampling !== "shuffled" || drawn ? ["it draws its images"] : []),
    ...(Object.keys(views).length > 0 ? ["its views differ from step to step"] : []),
    ...(parameters.some((parameter) => parameter.name.endsWith("/head.weight"))
      ? ["it trains two networks"]
      : []),
  ];
  if (reasons.length === 0 && convex) return;
  if (reasons.length === 0) reasons.push("its loss is not said to be convex in what it trains");
  throw new CuelabError({
    kind: "usage",
    what: `stage "${name}" of method "${method.name}" is no convex problem that could be solved: ${reasons.join(", ")}`,
    expected:
      "a method whose loss is a convex sum over images: dfr, domain-independent, erm, group-upweighting, jtt, spectral-decoupling or subg",
    todo: "leave --solve away, and it is stepped along",
  });
}
