/** A named list of things of one kind; the command line's choices, the docs and the contract tests come from it. */

import { CuelabError } from "./errors.ts";
import { didYouMean } from "./nearest.ts";

interface Named {
  readonly name: string;
}

export interface RegistryOptions<Entry> {
  /** What plugins call such things: whatever they bring under this key belongs here too. */
  plugins?: string;
  /** What becomes of an entry that was added. */
  adopt?: (entry: Entry) => Entry;
}

export class Registry<Entry extends Named> {
  readonly kind: string;
  readonly #entries = new Map<string, Entry>();
  /** Who added an entry that was not there from the beginning. */
  readonly #from = new Map<string, string>();
  readonly #adopt: (entry: Entry) => Entry;
  readonly #plugins: boolean;

  constructor(kind: string, entries: readonly Entry[], options: RegistryOptions<Entry> = {}) {
    this.kind = kind;
    this.#plugins = options.plugins !== undefined;
    this.#adopt = options.adopt ?? ((entry) => entry);
    for (const entry of entries) {
      if (this.#entries.has(entry.name)) {
        throw new CuelabError({ kind: "failure", what: `${kind} "${entry.name}" is registered twice` });
      }
      this.#entries.set(entry.name, entry);
    }
    if (options.plugins === undefined) return;
    const door = doorOf(options.plugins);
    door.registry = this as unknown as Registry<Named>;
    for (const { entry, from } of door.waiting.splice(0)) this.add(entry as Entry, from);
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
      ...(this.#plugins
        ? didYouMean(name, this.names, "if it is one of your own, bring it with --plugin")
        : didYouMean(name, this.names)),
    });
  }

  /** Those that somebody has added. */
  get added(): Entry[] {
    return this.entries.filter(({ name }) => this.#from.has(name));
  }

  /** One more, after those that are there; `from` says who brings it. */
  add(entry: Entry, from: string): void {
    this.checkFree(entry.name, from);
    this.#entries.set(entry.name, this.#adopt(entry));
    this.#from.set(entry.name, from);
  }

  /** Throws where the name is taken. */
  checkFree(name: string, from: string): void {
    if (this.#entries.has(name)) throw taken(this.kind, name, this.#from.get(name) ?? "cuelab itself", from);
  }
}

export interface Brought {
  /** What plugins call things of its kind. */
  key: string;
  entry: Named;
  from: string;
}

interface Door {
  /** Until its module is loaded, which few commands and threads do for all of them, what is brought waits. */
  registry?: Registry<Named>;
  waiting: { entry: Named; from: string }[];
}

const doors = new Map<string, Door>();

function doorOf(key: string): Door {
  const door = doors.get(key) ?? { waiting: [] };
  doors.set(key, door);
  return door;
}

/** Hands further entries to the registries of their kinds: all of them, or none where a name is taken. */
export function bring(all: readonly Brought[]): void {
  for (const [i, { key, entry, from }] of all.entries()) {
    const { registry, waiting } = doorOf(key);
    registry?.checkFree(entry.name, from);
    const earlier = [...waiting, ...all.slice(0, i).filter((other) => other.key === key)];
    const same = earlier.find((other) => other.entry.name === entry.name);
    if (same) throw taken(key.replace(/s$/, ""), entry.name, same.from, from);
  }
  for (const { key, entry, from } of all) {
    const { registry, waiting } = doorOf(key);
    if (registry) registry.add(entry, from);
    else waiting.push({ entry, from });
  }
}

function taken(kind: string, name: string, by: string, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the name of ${kind} "${name}" is taken`,
    where,
    got: `one of that name from ${by}`,
    todo: "give it another name",
  });
}
