/** A named list of things of one kind; the command line's choices, the docs and the contract tests come from it. */

import { CuelabError } from "./errors.ts";
import { didYouMean } from "./nearest.ts";

export class Registry<Entry extends { readonly name: string }> {
  readonly kind: string;
  readonly #entries = new Map<string, Entry>();

  constructor(kind: string, entries: readonly Entry[]) {
    this.kind = kind;
    for (const entry of entries) {
      if (this.#entries.has(entry.name)) {
        throw new CuelabError({ kind: "failure", what: `${kind} "${entry.name}" is registered twice` });
      }
      this.#entries.set(entry.name, entry);
    }
  }

  get names(): string[] {
    return [...this.#entries.keys()];
  }

  get entries(): Entry[] {
    return [...this.#entries.values()];
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  get(name: string): Entry {
    const entry = this.#entries.get(name);
    if (entry) return entry;
    throw new CuelabError({
      kind: "usage",
      what: `unknown ${this.kind} "${name}"`,
      expected: `one of: ${this.names.join(", ")}`,
      ...didYouMean(name, this.names),
    });
  }
}
