/** The named arrays that programs share and change: parameters, moments, running statistics, a method's own. */

import { CuelabError } from "../core/errors.ts";
import { checkFed } from "./ops/sources.ts";

/**
 * Named float arrays that live between runs. A run that changes one writes into a spare buffer and swaps the two, so
 * nothing is copied; do not hold on to an array over a run, ask again.
 */
export class State {
  readonly #current = new Map<string, Float32Array>();
  readonly #spare = new Map<string, Float32Array>();
  #moving = false;

  get names(): string[] {
    return [...this.#current.keys()];
  }

  has(name: string): boolean {
    return this.#current.has(name);
  }

  get(name: string): Float32Array {
    const found = this.#current.get(name);
    if (found !== undefined) return found;
    throw new CuelabError({ kind: "failure", what: `no state called "${name}"`, got: this.names.join(", ") });
  }

  set(name: string, data: ArrayLike<number>): void {
    const known = this.#current.get(name);
    if (known !== undefined) checkFed(name, [known.length], data.length);
    this.#current.set(name, Float32Array.from(data));
  }

  /** Moves the state on by one run. Another one meanwhile would start from the same arrays, and one of the two be lost. */
  async move(names: readonly string[], run: () => Promise<void>): Promise<void> {
    if (this.#moving) {
      throw new CuelabError({
        kind: "failure",
        what: "a run would move a state that another run is moving",
        todo: "await the first run, or give each its own state",
      });
    }
    this.#moving = true;
    try {
      await run();
      for (const name of names) this.#swap(name);
    } finally {
      this.#moving = false;
    }
  }

  spare(name: string): Float32Array {
    const found = this.#spare.get(name) ?? new Float32Array(this.get(name).length);
    this.#spare.set(name, found);
    return found;
  }

  #swap(name: string): void {
    const old = this.get(name);
    this.#current.set(name, this.spare(name));
    this.#spare.set(name, old);
  }
}
