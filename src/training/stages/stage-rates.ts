/** How fast a stage learns: its optimiser, and the rate at every step. */

import { CuelabError } from "../../core/errors.ts";
import { adam, adamw, type Optimiser, sgd } from "../../engine/training/optimisers.ts";
import {
  constantSchedule,
  cosineSchedule,
  delayed,
  type Schedule,
  stepSchedule,
  warmUp,
} from "../../engine/training/schedules.ts";
import type { StageOptimiser } from "../../methods/stage.ts";
import type { RunSpec } from "../run-spec.ts";
import type { StagePlan } from "./stage-plan.ts";

type ChosenOptimiser = RunSpec["optimiser"];

/** What the run says, unless a stage or one of its passes says otherwise. */
export function chosenOptimiser(
  { optimiser }: RunSpec,
  ...given: readonly (StageOptimiser | undefined)[]
): ChosenOptimiser {
  const { schedule: _, ...chosen } = Object.assign({ ...optimiser }, ...given) as ChosenOptimiser &
    StageOptimiser;
  return chosen;
}

export function makeOptimiser(
  { name, weightDecay, momentum, nesterov }: ChosenOptimiser,
  scope: string,
): Optimiser {
  switch (name) {
    case "adam":
      return adam({ weightDecay, scope });
    case "adamw":
      return adamw({ weightDecay, scope });
    case "sgd":
      return sgd({ weightDecay, momentum, nesterov, scope });
    default:
      return name satisfies never;
  }
}

/** The run's schedule is for stages as long as the run; others keep their rate unless they say how it falls. */
export function ratesOf(
  { rate }: Pick<ChosenOptimiser, "rate">,
  { schedule }: Pick<RunSpec, "schedule">,
  plan: Pick<StagePlan, "length" | "stepsPerEpoch" | "isMain">,
  given?: StageOptimiser["schedule"],
): (step: number) => number {
  const { length, stepsPerEpoch, isMain } = plan;
  if (given === "cosine") {
    const falling = cosineSchedule(length.steps);
    return (step) => rate * falling(step);
  }
  if (given === "constant" || !isMain) return () => rate;
  const { name, milestones, factor, warmUpSteps } = schedule;
  const { steps, epochs } = length;
  if (warmUpSteps >= steps) {
    throw new CuelabError({
      kind: "usage",
      what: "the warm-up would never end",
      expected: `less than the ${steps} steps of this run (${epochs} epochs of ${stepsPerEpoch})`,
      got: `${warmUpSteps} steps`,
      todo: "lower --warm-up or raise --epochs",
    });
  }
  // The cosine begins where the warm-up ends; milestones are epochs of the whole run, wherever that is.
  const main: Record<typeof name, () => Schedule> = {
    constant: constantSchedule,
    cosine: () => delayed(warmUpSteps, cosineSchedule(steps - warmUpSteps)),
    step: () =>
      stepSchedule(
        milestones.map((epoch) => epoch * stepsPerEpoch),
        factor,
      ),
  };
  const scheduled = main[name]();
  const risen = warmUpSteps > 0 ? warmUp(warmUpSteps) : constantSchedule();
  return (step) => rate * risen(step) * scheduled(step);
}
