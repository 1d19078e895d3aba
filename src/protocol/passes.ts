/** The updates of one training step as programs, in the order in which they are run on a batch. */

import { CuelabError } from "../core/errors.ts";
import type { Tensor } from "../engine/expressions.ts";
import type { Program } from "../engine/program.ts";
import type { State } from "../engine/state.ts";
import type { Optimiser } from "../engine/training/optimisers.ts";
import type { Parameter } from "../engine/training/parameters.ts";
import { type StepOptions, type TrainingStep, trainingStep } from "../engine/training/step.ts";

export interface PassOptions
  extends Omit<StepOptions, "loss" | "parameters" | "optimiser" | "next" | "outputs"> {
  losses: readonly Tensor[];
  parameters: readonly Parameter[];
  /** The optimiser with the names of its numbers in a scope, so that two can be fed side by side. */
  optimiser: (scope: string) => Optimiser;
  /** Moves with every pass: running statistics. */
  statistics: Readonly<Record<string, Tensor>>;
  /** Moves with the first pass: the method's own state. */
  next: Readonly<Record<string, Tensor>>;
}

export type TrainingPass = Pick<TrainingStep, "program" | "prepare" | "scalars">;

/** Each pass moves the parameters that its loss reaches; each parameter must be reached by one at least. */
export function trainingPasses(options: PassOptions): TrainingPass[] {
  const { losses, parameters, optimiser, statistics, next, ...common } = options;
  const reached = losses.map((loss) => reachedBy(loss));
  const movedIn = (parameter: Parameter) =>
    losses.flatMap((_, pass) => (reached[pass]!.has(parameter.tensor) ? [pass] : []));
  const idle = parameters.find((parameter) => movedIn(parameter).length === 0);
  if (idle !== undefined) {
    throw new CuelabError({
      kind: "failure",
      what: `the method's loss does not depend on "${idle.name}"`,
      expected: "a path from every parameter to a loss that gradients can flow along",
    });
  }
  return losses.map((loss, pass) => {
    // An optimiser counts how often a parameter has moved: those that move in other passes too are ahead.
    const moving = parameters.filter((parameter) => movedIn(parameter).includes(pass));
    const steps = byMoves(moving, movedIn).map(({ passes, group }, i) => {
      const step = trainingStep({
        ...common,
        loss,
        parameters: group,
        optimiser: optimiser(i === 0 ? "" : `${i}/`),
        next: i > 0 ? {} : pass === 0 ? { ...statistics, ...next } : statistics,
      });
      const count = (n: number) => n * passes.length + passes.indexOf(pass);
      return { ...step, scalars: (n: number, rate: number) => step.scalars(count(n), rate) };
    });
    return together(steps);
  });
}

/** Parameters that move in the same passes. */
function byMoves(
  parameters: readonly Parameter[],
  movedIn: (parameter: Parameter) => number[],
): { passes: number[]; group: Parameter[] }[] {
  const groups = new Map<string, { passes: number[]; group: Parameter[] }>();
  for (const parameter of parameters) {
    const passes = movedIn(parameter);
    const known = groups.get(passes.join());
    if (known === undefined) groups.set(passes.join(), { passes, group: [parameter] });
    else known.group.push(parameter);
  }
  return [...groups.values()];
}

/** Updates of different parameters by one loss, as one program. */
function together(steps: readonly TrainingStep[]): TrainingPass {
  const programs = steps.map(({ program }) => program);
  return {
    program: {
      outputs: programs[0]!.outputs,
      next: Object.assign({}, ...programs.map(({ next }) => next)) as NonNullable<Program["next"]>,
    },
    prepare(state: State) {
      for (const step of steps) step.prepare(state);
    },
    scalars: (n, rate) =>
      Object.assign({}, ...steps.map((step) => step.scalars(n, rate))) as Record<string, Float32Array>,
  };
}

/** All tensors that gradients of the loss flow to. */
function reachedBy(loss: Tensor): Set<Tensor> {
  const reached = new Set([loss]);
  for (const node of reached) {
    if (node.op.gradient !== undefined) for (const input of node.inputs) reached.add(input);
  }
  return reached;
}
