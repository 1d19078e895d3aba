/** What a method is handed of the data, in every stage: what its supervision names, and nothing else. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import { resolveSettings } from "../../core/settings.ts";
import {
  type Known,
  type Method,
  type Part,
  type Supervision,
  supervisionInWords,
  supervisionOf,
} from "../../methods/method.ts";
import { chooseExplicit, type ExplicitGroups, explicitGroups } from "../groups.ts";
import type { RunSpec } from "../run-spec.ts";
import { indicesOf } from "../splits.ts";

export class MethodData {
  readonly method: Method;
  readonly config: Record<string, unknown>;
  readonly supervision: Supervision;
  /** The cues that the method is told, where it is told any. */
  readonly cues: readonly string[];
  readonly #dataset: Dataset;
  readonly #seed: number;
  readonly #rows = new Map<Part, Uint32Array>();
  readonly #labels = new Map<Part, Int32Array>();
  readonly #explicit = new Map<Part, ExplicitGroups>();

  constructor(method: Method, { method: { settings, explicit }, seed }: RunSpec, dataset: Dataset) {
    this.method = method;
    this.config = resolveSettings(method.settings, settings);
    this.supervision = supervisionOf(method, this.config);
    this.cues = chooseExplicit({ name: method.name, supervision: this.supervision }, explicit, dataset) ?? [];
    this.#dataset = dataset;
    this.#seed = seed;
  }

  /** What `stages` is told. */
  known(epochs: number): Known<Record<string, unknown>> {
    return {
      config: this.config,
      classes: this.#dataset.classNames.length,
      epochs,
      labels: (part) => this.labels(part),
      groups: (part) => this.explicit(part, "groups").groups,
      bias: (part) => this.explicit(part, "values of cues").bias,
      random: (purpose) => randomStream(this.#seed, `method/${purpose}`).at(0),
    };
  }

  /** Indices of a part's images in the dataset. */
  rows(part: Part): Uint32Array {
    if (part === "val" && !this.supervision.trainsOnVal)
      throw this.refusal("validation images", "{ trainsOnVal: true }");
    const known = this.#rows.get(part);
    if (known !== undefined) return known;
    const rows = indicesOf(this.#dataset, part);
    if (rows.length === 0)
      throw new CuelabError({
        kind: "input",
        what: `method "${this.method.name}" trains on ${part === "val" ? "validation" : "training"} images, and there are none`,
        where: this.#dataset.name,
        todo: `give some images the split ${part}`,
      });
    this.#rows.set(part, rows);
    return rows;
  }

  labels(part: Part): Int32Array {
    const known = this.#labels.get(part);
    if (known !== undefined) return known;
    const labels = Int32Array.from(this.rows(part), (row) => this.#dataset.labels[row]!);
    this.#labels.set(part, labels);
    return labels;
  }

  /** Refuses what the method may not see; `what` says in words what it asked for. */
  explicit(part: Part, what: string): ExplicitGroups {
    if (!this.supervision.groups?.includes(part))
      throw this.refusal(part === "train" ? what : `${what} of validation images`, `{ groups: ["${part}"] }`);
    const known = this.#explicit.get(part);
    if (known !== undefined) return known;
    // Validation images need not be trained on for their groups to be known.
    const rows = part === "train" ? this.rows(part) : indicesOf(this.#dataset, part);
    const found = explicitGroups(this.#dataset, this.cues, rows);
    this.#explicit.set(part, found);
    return found;
  }

  /** Groups of some of a part's images alone, for drawing them. */
  explicitAt(part: Part, places: Uint32Array): ExplicitGroups {
    this.explicit(part, "groups");
    const rows = this.rows(part);
    return explicitGroups(
      this.#dataset,
      this.cues,
      places.map((place) => rows[place]!),
    );
  }

  refusal(what: string, expected: string): CuelabError {
    return new CuelabError({
      kind: "failure",
      what: `method "${this.method.name}" asks for ${what}, which its supervision does not allow`,
      expected: `supervision: ${expected}`,
      got: supervisionInWords(this.supervision),
    });
  }
}
