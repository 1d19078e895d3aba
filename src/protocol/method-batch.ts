/** What a method is handed of a batch and of the training images, and what is fed for it. Nothing else is. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { add, crossEntropy, input, mul, sub, type Tensor } from "../engine/expressions.ts";
import type { Batch, Environments, Method, TrainingSet } from "../methods/method.ts";
import { chooseExplicit, type ExplicitGroups, explicitGroups } from "./groups.ts";
import type { BatchBuffers } from "./make-batch.ts";
import type { RunSpec } from "./run-spec.ts";
import { environmentsOf, type Sampler, samplerOf } from "./samplers.ts";
import { indicesOf } from "./splits.ts";

export interface MethodBatchOptions {
  batchSize: number;
  stepsPerEpoch: number;
  /** Whether images are mixed with partners. */
  mixes: boolean;
}

/** What a batch is fed with beside its images, from the places of these among the training images. */
type Column = (places: Uint32Array) => Int32Array;

export class MethodBatch implements Batch {
  readonly images: Tensor;
  readonly labels: Tensor;
  readonly training: TrainingSet;
  /** Indices of the training images in the dataset. */
  readonly rows: Uint32Array;
  readonly #method: Pick<Method, "name" | "supervision" | "sampling">;
  readonly #options: MethodBatchOptions;
  readonly #cues: readonly string[];
  readonly #explicit: ExplicitGroups | undefined;
  readonly #columns = new Map<string, Column>();
  readonly #seed: number;
  #environments: Environments | undefined;

  constructor(method: Method, spec: RunSpec, dataset: Dataset, options: MethodBatchOptions) {
    const { height, width, channels } = dataset.images.shape!;
    this.#method = method;
    this.#options = options;
    this.#seed = spec.seed;
    this.rows = indicesOf(dataset, "train");
    const explicit = chooseExplicit(method, spec.method.explicit, dataset);
    this.#cues = explicit ?? [];
    this.#explicit = explicit && explicitGroups(dataset, explicit, this.rows);
    const labels = Int32Array.from(this.rows, (row) => dataset.labels[row]!);
    this.images = input("images", [options.batchSize, height, width, channels], "byte");
    this.labels = this.#fed("labels", labels);
    this.training = this.#trainingSet(labels);
  }

  get indices(): Tensor {
    return this.#fedBy("indices", (places) => Int32Array.from(places));
  }

  get groups(): Tensor {
    return this.#fed("groups", this.#allowed("groups").groups.codes);
  }

  get bias(): Tensor {
    return this.#fed("bias", this.#allowed("bias labels").bias.codes);
  }

  // A method may pass it on by itself.
  readonly losses = (logits: Tensor): Tensor => {
    const own = crossEntropy(logits, this.labels);
    if (!this.#options.mixes) return own;
    const shares = input("shares", [this.#options.batchSize]);
    const partners = input("partnerLabels", [this.#options.batchSize], "int");
    return add(mul(shares, own), mul(sub(1, shares), crossEntropy(logits, partners)));
  };

  readonly environments = (wanted: number): Environments => {
    const { groups } = this.#allowed("environments");
    const { batchSize } = this.#options;
    if (this.#method.sampling !== "environments") {
      throw new CuelabError({
        kind: "failure",
        what: `method "${this.#method.name}" asks for environments, but does not sample them`,
        expected: 'sampling: "environments"',
      });
    }
    const found = environmentsOf(batchSize, wanted, groups.sizes.length);
    if (found === undefined) {
      throw new CuelabError({
        kind: "usage",
        what: `method "${this.#method.name}" compares two halves of each environment`,
        expected: "a batch of an even number of images",
        got: `${batchSize} images`,
        todo: `use --batch-size ${batchSize + 1}`,
      });
    }
    this.#environments = found;
    return found;
  };

  /** Which images each batch holds; to be asked for when the method has been built. */
  get sampler(): Sampler {
    return samplerOf(this.#method.sampling ?? "shuffled", {
      seed: this.#seed,
      images: this.rows.length,
      ...this.#options,
      groups: this.#explicit?.groups,
      environments: this.#environments,
    });
  }

  /** What the method reads of a batch, by input. */
  readonly feeds = (
    places: Uint32Array,
    { partners, shares }: Pick<BatchBuffers, "partners" | "shares">,
  ): Record<string, Int32Array | Float32Array> => {
    const fed = Object.fromEntries([...this.#columns].map(([name, column]) => [name, column(places)]));
    if (!this.#options.mixes) return fed;
    return { ...fed, partnerLabels: Int32Array.from(partners, (i) => fed.labels![i]!), shares };
  };

  /** To be asked for when the method has been built. */
  get notes(): string[] {
    if (this.#explicit === undefined) return [];
    const count = (n: number) => n.toLocaleString("en");
    const { sizes } = this.#explicit.groups;
    const groups = `${count(sizes.length)} groups of class × ${this.#cues.join(" × ")} in training, the smallest of ${count(sizes.reduce((a, b) => Math.min(a, b)))}`;
    if (this.#environments === undefined) return [groups];
    const { count: environments, size } = this.#environments;
    return [`${groups}; ${environments} of them in a batch, ${size} images of each`];
  }

  #trainingSet(labels: Int32Array): TrainingSet {
    const allowed = (what: string) => this.#allowed(what);
    return {
      labels,
      get groupSizes() {
        return allowed("sizes of groups").groups.sizes;
      },
      get biasCount() {
        return allowed("values of cues").bias.sizes.length;
      },
    };
  }

  #fed(name: string, values: Int32Array): Tensor {
    return this.#fedBy(name, (places) => Int32Array.from(places, (place) => values[place]!));
  }

  #fedBy(name: string, column: Column): Tensor {
    this.#columns.set(name, column);
    return input(name, [this.#options.batchSize], "int");
  }

  #allowed(what: string): ExplicitGroups {
    if (this.#explicit !== undefined) return this.#explicit;
    const { name, supervision } = this.#method;
    throw new CuelabError({
      kind: "failure",
      what: `method "${name}" asks for ${what}, which its supervision does not allow`,
      expected: 'supervision: "train-groups"',
      got: `"${supervision}"`,
    });
  }
}
