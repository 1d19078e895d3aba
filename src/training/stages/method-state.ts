/** State that a method declares for itself: kept beside the weights under `method/`, saved and restored with them. */

import { CuelabError } from "../../core/errors.ts";
import { type Shape, stateInput, type Tensor } from "../../engine/expressions.ts";
import { interpret } from "../../engine/interpret.ts";
import { constant } from "../../engine/ops/sources.ts";
import type { State } from "../../engine/state.ts";

const prefix = "method/";

/** Under which a state of the method's own is kept beside the weights. */
export function stateName(name: string): string {
  return prefix + name;
}

export function isMethodState(name: string): boolean {
  return name.startsWith(prefix);
}

/** All that the method keeps, under the names that it is kept by. */
export function methodStateOf(state: State): Map<string, Float32Array> {
  return new Map(state.names.filter(isMethodState).map((name) => [name, state.get(name)]));
}

export class MethodState {
  readonly #first = new Map<string, Float32Array>();

  /** The method's `state` function. */
  readonly declare = (name: string, initial: Tensor | readonly number[], shape?: Shape): Tensor => {
    if (this.#first.has(name)) {
      throw new CuelabError({ kind: "failure", what: `the method declares its state "${name}" twice` });
    }
    const first = isNumbers(initial) ? constant(initial, shape ?? [initial.length]) : initial;
    this.#first.set(name, Float32Array.from(interpret([first])[0]!));
    return stateInput(stateName(name), first.shape);
  };

  /** A method's `next` under the names that the state has. */
  renamed(next: Readonly<Record<string, Tensor>>): Record<string, Tensor> {
    for (const name of Object.keys(next)) {
      if (this.#first.has(name)) continue;
      throw new CuelabError({
        kind: "failure",
        what: `the method updates a state "${name}" that it has not declared`,
        expected: `one of: ${[...this.#first.keys()].join(", ") || "none was declared"}`,
      });
    }
    return Object.fromEntries(Object.entries(next).map(([name, value]) => [stateName(name), value]));
  }

  initialise(state: State): void {
    for (const [name, first] of this.#first) state.set(stateName(name), first);
  }
}

function isNumbers(initial: Tensor | readonly number[]): initial is readonly number[] {
  return Array.isArray(initial);
}
