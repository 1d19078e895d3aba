/** The updates of one training step as programs, in the order in which they are run on a batch. */

import { CuelabError } from "../../core/errors.ts";
import type { Tensor } from "../../engine/expressions.ts";
import type { Program } from "../../engine/program.ts";
import type { State } from "../../engine/state.ts";
import type { Optimiser } from "../../engine/training/optimisers.ts";
import type { Parameter } from "../../engine/training/parameters.ts";
import { type StepOptions, type TrainingStep, trainingStep } from "../../engine/training/step.ts";

interface PlannedPass {
  loss: Tensor;
  /** Which parameters it may move, by name; undefined for all that its loss reaches. */
  moves: ((name: string) => boolean) | undefined;
  /** The optimiser with the names of its numbers in a scope, so that two can be fed side by side. */
  optimiser: (scope: string) => Optimiser;
  rate: (step: number) => number;
  /** With the weights that the pass before it began with, as one program with it. */
  together?: boolean;
}

export interface PassOptions
  extends Omit<StepOptions, "loss" | "parameters" | "optimiser" | "slope" | "next" | "outputs"> {
  passes: readonly PlannedPass[];
  parameters: readonly Parameter[];
  /** Moves with every pass that may move what it belongs to: running statistics. */
  statistics: Readonly<Record<string, Tensor>>;
  /** Moves with the first pass: the method's own state. */
  next: Readonly<Record<string, Tensor>>;
  /** What the first pass returns beside its loss. */
  outputs: Readonly<Record<string, Tensor>>;
}

export interface TrainingPass extends Pick<TrainingStep, "program" | "prepare"> {
  /** What to feed at a step beside the data. */
  scalars(step: number): Record<string, Float32Array>;
  /** Names of the parameters that it moves. */
  moved: readonly string[];
}

/** Each pass moves the parameters that its loss reaches and that it may; each parameter must be moved by one at least. */
export function trainingPasses(options: PassOptions): TrainingPass[] {
  const { passes, parameters, statistics, next, outputs, ...common } = options;
  const reached = passes.map(({ loss }) => reachedBy(loss));
  const movedIn = ({ tensor, name }: Parameter) =>
    passes.flatMap(({ moves }, pass) =>
      reached[pass]!.has(tensor) && (moves?.(name) ?? true) ? [pass] : [],
    );
  // Whoever names what moves has said that the rest stays.
  const idle = passes.every(({ moves }) => moves === undefined)
    ? parameters.find((parameter) => movedIn(parameter).length === 0)
    : undefined;
  if (idle !== undefined) {
    throw new CuelabError({
      kind: "failure",
      what: `the method's loss does not depend on "${idle.name}"`,
      expected: "a path from every parameter to a loss that gradients can flow along",
    });
  }
  const made = passes.map(({ loss, moves, optimiser, rate, together: joins }, pass) => {
    // An optimiser counts how often a parameter has moved: those that move in other passes too are ahead.
    const moving = parameters.filter((parameter) => movedIn(parameter).includes(pass));
    if (moving.length === 0) throw nothingMoves(pass);
    const updated = moves === undefined ? statistics : only(statistics, moves);
    const steps = byMoves(moving, movedIn).map(({ passes: its, group }, i) => {
      const isFirst = i === 0 && pass === 0;
      const step = trainingStep({
        ...common,
        loss,
        parameters: group,
        optimiser: optimiser((joins ? `pass ${pass}/` : "") + (i === 0 ? "" : `${i}/`)),
        next: i > 0 ? {} : pass === 0 ? { ...updated, ...next } : updated,
        ...(isFirst && { outputs }),
      });
      const count = (n: number) => n * its.length + its.indexOf(pass);
      return { ...step, scalars: (n: number) => step.scalars(count(n), rate(n)) };
    });
    return together(
      steps,
      moving.map(({ name }) => name),
    );
  });
  return joined(made, (pass) => passes[pass]!.together === true);
}

/** Those that are made together with the one before them become one program with it. */
function joined(made: readonly TrainingPass[], joins: (pass: number) => boolean): TrainingPass[] {
  const programs: TrainingPass[] = [];
  for (const [pass, step] of made.entries()) {
    const before = programs.at(-1);
    if (before === undefined || !joins(pass)) {
      programs.push(step);
      continue;
    }
    const both = step.moved.find((name) => before.moved.includes(name));
    if (both !== undefined) throw movesTwice(both, pass);
    programs[programs.length - 1] = together([before, step], [...before.moved, ...step.moved]);
  }
  return programs;
}

function only(
  statistics: Readonly<Record<string, Tensor>>,
  moves: (name: string) => boolean,
): Record<string, Tensor> {
  return Object.fromEntries(Object.entries(statistics).filter(([name]) => moves(name)));
}

function nothingMoves(pass: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what:
      pass === 0 ? "the method's loss moves nothing" : `further update ${pass} of the method moves nothing`,
    expected: "a loss with a gradient for something that `moves` names and that is not frozen",
  });
}

function movesTwice(name: string, pass: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `further update ${pass} of the method is made together with the one before it, and both move "${name}"`,
    expected: "updates of different things, or one after the other",
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

type SteppedTraining = Pick<TrainingStep, "program" | "prepare"> & Pick<TrainingPass, "scalars">;

/** Updates of different parameters as one program, whose outputs are the first one's. */
function together(steps: readonly SteppedTraining[], moved: readonly string[]): TrainingPass {
  const programs = steps.map(({ program }) => program);
  return {
    program: {
      outputs: programs[0]!.outputs,
      next: Object.assign({}, ...programs.map(({ next }) => next)) as NonNullable<Program["next"]>,
    },
    prepare(state: State) {
      for (const step of steps) step.prepare(state);
    },
    scalars: (n) =>
      Object.assign({}, ...steps.map((step) => step.scalars(n))) as Record<string, Float32Array>,
    moved,
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
