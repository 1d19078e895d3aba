/** Trainable tensors: their names, shapes and beginnings. */

import { CuelabError } from "../../core/errors.ts";
import { type RandomSource, stateInput } from "../ops/sources.ts";
import { formatShape, sameShape, sizeOf } from "../shapes.ts";
import type { State } from "../state.ts";
import type { Shape, Tensor } from "../tensor.ts";
import type { Initialiser } from "./initialisers.ts";

export interface Parameter {
  name: string;
  tensor: Tensor;
  initial: Initialiser;
  /** False for what moves by other means than the optimiser, such as running statistics. */
  trained: boolean;
}

/** The parameters of one network or head. Asking twice for a name gives the same tensor: weights are shared. */
export class Parameters {
  readonly #all = new Map<string, Parameter>();

  get(name: string, shape: Shape, initial: Initialiser, trained = true): Tensor {
    const known = this.#all.get(name);
    if (known === undefined) {
      const tensor = stateInput(name, shape);
      this.#all.set(name, { name, tensor, initial, trained });
      return tensor;
    }
    if (sameShape(known.tensor.shape, shape)) return known.tensor;
    throw new CuelabError({
      kind: "failure",
      what: `parameter "${name}" is used with two shapes`,
      expected: formatShape(known.tensor.shape),
      got: formatShape(shape),
    });
  }

  get all(): Parameter[] {
    return [...this.#all.values()];
  }

  get trained(): Parameter[] {
    return this.all.filter((parameter) => parameter.trained);
  }

  /** Number of trained values. */
  get size(): number {
    return this.trained.reduce((total, { tensor }) => total + sizeOf(tensor.shape), 0);
  }
}

/** Puts every parameter's first value into the state. Each has its own stream, so their order does not matter. */
export function initialise(parameters: readonly Parameter[], state: State, random: RandomSource): void {
  for (const { name, tensor, initial } of parameters)
    state.set(name, initial(tensor.shape, random(`initial/${name}`)));
}
