/** Learning rates as pure functions of the step, counted from 0. */

import { CuelabError } from "../../core/errors.ts";

/** Factor on the base rate at a step. */
export type Schedule = (step: number) => number;

export function constantSchedule(): Schedule {
  return () => 1;
}

/** Half a cosine from 1 at step 0 down to `floor` at step `total`, and `floor` from there on. */
export function cosineSchedule(total: number, floor = 0): Schedule {
  positive("cosine schedule", total);
  return (step) => floor + ((1 - floor) * (1 + Math.cos(Math.PI * Math.min(1, step / total)))) / 2;
}

/** Multiplies by `factor` at each milestone that has been reached. */
export function stepSchedule(milestones: readonly number[], factor = 0.1): Schedule {
  return (step) => factor ** milestones.filter((milestone) => step >= milestone).length;
}

/** Rises in a straight line over the first `steps` (the first step already moves), and is 1 from there on. */
export function warmUp(steps: number): Schedule {
  positive("warm-up", steps);
  return (step) => Math.min(1, (step + 1) / steps);
}

/** Stays at the start of `then` for so many steps, then follows it. */
export function delayed(steps: number, then: Schedule): Schedule {
  return (step) => then(Math.max(0, step - steps));
}

function positive(what: string, steps: number): void {
  if (steps > 0) return;
  throw new CuelabError({
    kind: "usage",
    what: `${what}: impossible length`,
    expected: "at least one step",
    got: `${steps}`,
  });
}
