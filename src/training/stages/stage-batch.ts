/** What a stage is handed of a batch, and what is fed for it. Nothing else is. */

import { CuelabError } from "../../core/errors.ts";
import { type NumberedGroups, numberedGroups } from "../../core/grouping.ts";
import { add, crossEntropy, input, mul, sub, type Tensor } from "../../engine/expressions.ts";
import type { Batch, Environments } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import type { MethodData } from "./method-data.ts";
import { environmentsOf, type Sampler, samplerOf, weightedSampler, wholeSampler } from "./samplers.ts";
import type { StagePlan } from "./stage-plan.ts";

/** The tensors that a stage's images or features come in. */
export interface StageInputs {
  /** Under names that begin with `prefix`. */
  readonly inputs: (prefix: string) => Tensor;
  readonly view: (prefix: string, name: string) => Tensor;
}

export interface StageBatchOptions {
  stage: Stage;
  plan: StagePlan;
  data: MethodData;
  inputs: StageInputs;
  seed: number;
  /** Whether images are mixed with partners. */
  mixes: boolean;
  /** Put before the names of what is fed, and before purposes of random numbers: a second batch has its own. */
  prefix: string;
}

/** What a batch is fed with beside its images, from the places of these in the stage's part. */
type StageColumn = (places: Uint32Array) => Int32Array | Float32Array;

/** How images of a batch are mixed, where they are. */
export interface Mixed {
  shares: Float32Array;
  /** Places in the batch … */
  partners?: Int32Array;
  /** … or the classes themselves, of partners that are not in it. */
  partnerLabels?: Int32Array;
}

export class StageBatch implements Batch {
  readonly size: number;
  readonly #options: StageBatchOptions;
  readonly #columns = new Map<string, StageColumn>();
  #environments: Environments | undefined;

  constructor(options: StageBatchOptions) {
    this.#options = options;
    this.size = options.plan.batchSize;
  }

  get prefix(): string {
    return this.#options.prefix;
  }

  get inputs(): Tensor {
    return this.#options.inputs.inputs(this.prefix);
  }

  readonly view = (name: string): Tensor => {
    this.#checkView(name);
    return this.#options.inputs.view(this.prefix, name);
  };

  readonly code = (view: string): Tensor => {
    this.#checkView(view);
    return input(`${this.prefix}code/${view}`, [this.size], "int");
  };

  readonly share = (view: string): Tensor => {
    this.#checkView(view);
    return input(`${this.prefix}share/${view}`, [this.size]);
  };

  get labels(): Tensor {
    const { data, plan } = this.#options;
    return this.#fed("labels", data.labels(plan.part));
  }

  get indices(): Tensor {
    return this.#fedBy("indices", "int", (places) => Int32Array.from(places));
  }

  readonly column = (name: string): Tensor => {
    const { stage, data } = this.#options;
    const values = stage.columns?.[name];
    if (values !== undefined)
      return this.#fedBy(`column/${name}`, "float", (places) =>
        valuesAt(values, places, new Float32Array(places.length)),
      );
    throw new CuelabError({
      kind: "failure",
      what: `stage "${stage.name}" of method "${data.method.name}" has no column "${name}"`,
      expected: `one of: ${Object.keys(stage.columns ?? {}).join(", ") || "none was given"}`,
    });
  };

  get groups(): Tensor {
    return this.#fed("groups", this.#groupCodes());
  }

  get bias(): Tensor {
    const { data, plan } = this.#options;
    return this.#fed("bias", data.explicit(plan.part, "bias labels").bias.codes);
  }

  // A method may pass it on by itself.
  readonly losses = (logits: Tensor, labels?: Tensor): Tensor => {
    if (labels !== undefined) return crossEntropy(logits, labels);
    const own = crossEntropy(logits, this.labels);
    if (!this.#options.mixes) return own;
    const shares = input(`${this.prefix}shares`, [this.size]);
    const partners = input(`${this.prefix}partnerLabels`, [this.size], "int");
    return add(mul(shares, own), mul(sub(1, shares), crossEntropy(logits, partners)));
  };

  readonly environments = (wanted: number): Environments => {
    const { stage, data } = this.#options;
    const { name } = data.method;
    const { sizes } = this.#drawnGroups("environments");
    if (stage.sampling !== "environments") {
      throw new CuelabError({
        kind: "failure",
        what: `method "${name}" asks for environments, but does not sample them`,
        expected: 'sampling: "environments"',
      });
    }
    const found = environmentsOf(this.size, wanted, sizes.length);
    if (found === undefined) {
      throw new CuelabError({
        kind: "usage",
        what: `method "${name}" compares two halves of each environment`,
        expected: "a batch of an even number of images",
        got: `${this.size} images`,
        todo: `use --batch-size ${this.size + 1}`,
      });
    }
    this.#environments = found;
    return found;
  };

  /** Places in the part that each batch holds; to be asked for when the stage has been built. */
  get sampler(): Sampler {
    const { plan } = this.#options;
    const drawn = this.#positions();
    const { places } = plan;
    if (places === undefined || plan.isFull) return drawn;
    return (epoch) => {
      const at = drawn(epoch);
      return (step) => at(step).map((position) => places[position]!);
    };
  }

  /** What the stage reads of a batch, by input. */
  readonly feeds = (places: Uint32Array, mixed?: Mixed): Record<string, Int32Array | Float32Array> => {
    const fed = Object.fromEntries([...this.#columns].map(([name, column]) => [name, column(places)]));
    if (!this.#options.mixes || mixed === undefined) return fed;
    const labels = fed[`${this.prefix}labels`]!;
    const { shares, partners = [], partnerLabels = Int32Array.from(partners, (i) => labels[i]!) } = mixed;
    return { ...fed, [`${this.prefix}partnerLabels`]: partnerLabels, [`${this.prefix}shares`]: shares };
  };

  /** To be asked for when the stage has been built. */
  get notes(): string[] {
    const { data, plan, stage } = this.#options;
    if (data.cues.length === 0 || stage.groups !== undefined || !data.supervision.groups?.includes(plan.part))
      return [];
    const count = (n: number) => n.toLocaleString("en");
    const { sizes } = data.explicit(plan.part, "groups").groups;
    const part = plan.part === "train" ? "training" : "validation";
    const groups = `${count(sizes.length)} groups of class × ${data.cues.join(" × ")} in ${part}, the smallest of ${count(sizes.reduce((a, b) => Math.min(a, b)))}`;
    if (this.#environments === undefined) return [groups];
    const { count: environments, size } = this.#environments;
    return [`${groups}; ${environments} of them in a batch, ${size} images of each`];
  }

  /** Positions among the stage's images. */
  #positions(): Sampler {
    const { plan, stage, seed } = this.#options;
    const { count, batchSize, stepsPerEpoch, weights } = plan;
    const scope = plan.scope + this.prefix;
    if (plan.isFull) return wholeSampler(plan.places ?? count);
    const common = { seed, scope, images: count, batchSize, stepsPerEpoch };
    if (weights !== undefined) return weightedSampler(weights, common);
    const { sampling = "shuffled" } = stage;
    return samplerOf(sampling, {
      ...common,
      ...(sampling !== "shuffled" && { groups: this.#drawnGroups(`sampling of ${sampling}`) }),
      environments: this.#environments,
    });
  }

  /** Groups of the stage's images, for drawing them: those that occur. */
  #drawnGroups(what: string): NumberedGroups {
    const { data, plan, stage } = this.#options;
    if (stage.groups !== undefined) {
      const { codes } = stage.groups;
      return numberedGroups(plan.places === undefined ? codes : plan.places.map((place) => codes[place]!));
    }
    const { groups } = data.explicit(plan.part, what);
    return plan.places === undefined ? groups : data.explicitAt(plan.part, plan.places).groups;
  }

  #groupCodes(): Int32Array {
    const { data, plan, stage } = this.#options;
    return stage.groups?.codes ?? data.explicit(plan.part, "groups").groups.codes;
  }

  #checkView(name: string): void {
    const { stage, data } = this.#options;
    if (stage.views !== undefined && Object.hasOwn(stage.views, name)) return;
    throw new CuelabError({
      kind: "failure",
      what: `stage "${stage.name}" of method "${data.method.name}" has no view "${name}"`,
      expected: `one of: ${Object.keys(stage.views ?? {}).join(", ") || "none was given"}`,
    });
  }

  #fed(name: string, values: Int32Array): Tensor {
    return this.#fedBy(name, "int", (places) => valuesAt(values, places, new Int32Array(places.length)));
  }

  #fedBy(name: string, type: "int" | "float", column: StageColumn): Tensor {
    this.#columns.set(this.prefix + name, remembered(column));
    return input(this.prefix + name, [this.size], type);
  }
}

/** By a loop: an iterator takes longer than a step of a last layer. */
function valuesAt<Numbers extends Int32Array | Float32Array>(
  values: Numbers,
  places: Uint32Array,
  into: Numbers,
): Numbers {
  for (let i = 0; i < places.length; i++) into[i] = values[places[i]!]!;
  return into;
}

/** A full batch has the same places at every step. */
function remembered(column: StageColumn): StageColumn {
  let last: { places: Uint32Array; values: Int32Array | Float32Array } | undefined;
  return (places) => {
    if (last?.places !== places) last = { places, values: column(places) };
    return last.values;
  };
}
