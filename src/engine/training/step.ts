/** One training step as a program: forward, backward, optimiser and averages in a single graph. */

import { grad } from "../grad.ts";
import { add, div, maximum, mul, sqrt } from "../ops/elementwise.ts";
import { sum } from "../ops/reductions.ts";
import { stateInput } from "../ops/sources.ts";
import type { Program } from "../program.ts";
import { sizeOf } from "../shapes.ts";
import type { State } from "../state.ts";
import type { Tensor } from "../tensor.ts";
import type { Optimiser } from "./optimisers.ts";
import type { Parameter } from "./parameters.ts";

export interface StepOptions {
  loss: Tensor;
  /** What is trained; the gradients of others are not computed. */
  parameters: readonly Pick<Parameter, "name" | "tensor">[];
  optimiser: Optimiser;
  /** What the optimiser takes for a parameter's gradient: with penalties whose slope is added, or some entries left alone. */
  slope?: (parameter: Tensor, gradient: Tensor) => Tensor;
  /** Largest length of all gradients taken as one vector. */
  clipNorm?: number;
  /** Keep exponential averages of the parameters with this decay, as state `average/<name>`. */
  averageDecay?: number;
  /** Next values of other state: running statistics, a method's own. */
  next?: Readonly<Record<string, Tensor>>;
  /** What to return beside `loss`. */
  outputs?: Readonly<Record<string, Tensor>>;
}

export interface TrainingStep {
  program: Program;
  /** Adds the optimiser's and the averages' first values to a state that holds the parameters. */
  prepare(state: State): void;
  /** What to feed at a step beside the data. */
  scalars(step: number, rate: number): Record<string, Float32Array>;
}

export function trainingStep(options: StepOptions): TrainingStep {
  const { loss, parameters, optimiser, slope, clipNorm, averageDecay, next = {}, outputs = {} } = options;
  const plain = grad(
    loss,
    parameters.map(({ tensor }) => tensor),
  );
  const gradients =
    slope === undefined ? plain : plain.map((gradient, i) => slope(parameters[i]!.tensor, gradient));
  const clipped = clipNorm === undefined ? gradients : clipByGlobalNorm(gradients, clipNorm);
  const all: Record<string, Tensor> = { ...next };
  for (const [i, { name, tensor }] of parameters.entries()) {
    const moments = optimiser.moments.map((moment) => stateInput(momentName(moment, name), tensor.shape));
    const updated = optimiser.update(tensor, clipped[i]!, moments);
    all[name] = updated.parameter;
    for (const [k, moment] of optimiser.moments.entries())
      all[momentName(moment, name)] = updated.moments[k]!;
    if (averageDecay !== undefined) {
      const average = stateInput(averageName(name), tensor.shape);
      all[averageName(name)] = add(mul(average, averageDecay), mul(updated.parameter, 1 - averageDecay));
    }
  }
  return {
    program: { outputs: { loss, ...outputs }, next: all },
    prepare(state) {
      for (const { name, tensor } of parameters) {
        for (const moment of optimiser.moments)
          state.set(momentName(moment, name), new Float32Array(sizeOf(tensor.shape)));
        if (averageDecay !== undefined) state.set(averageName(name), state.get(name));
      }
    },
    scalars: (step, rate) =>
      Object.fromEntries(
        Object.entries(optimiser.scalars(step, rate)).map(([name, value]) => [name, Float32Array.of(value)]),
      ),
  };
}

function momentName(moment: string, parameter: string): string {
  return `${moment}/${parameter}`;
}

export function averageName(parameter: string): string {
  return `average/${parameter}`;
}

/** √ Σ‖g‖² over all gradients. */
export function globalNorm(gradients: readonly Tensor[]): Tensor {
  return sqrt(gradients.map((gradient) => sum(mul(gradient, gradient))).reduce(add));
}

/** Scales all gradients by one factor so that their global norm is at most `limit`. */
export function clipByGlobalNorm(gradients: readonly Tensor[], limit: number): Tensor[] {
  const factor = div(limit, maximum(globalNorm(gradients), limit));
  return gradients.map((gradient) => mul(gradient, factor));
}
