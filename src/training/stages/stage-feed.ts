/** What a stage learns from, batch by batch: images that another thread makes ready, features in memory, or nothing. */

import { CuelabError } from "../../core/errors.ts";
import { gather, input, type Tensor } from "../../engine/expressions.ts";
import type { Stage } from "../../methods/stage.ts";
import { Chain } from "../../views/chain.ts";
import { type BatchBuffers, type Chains, ownChain } from "../make-batch.ts";
import { trainingMean } from "../pixel-statistics.ts";
import { checkMemory, type FeatureSource, fitsMemory, type ReadFeatures } from "./feature-source.ts";
import type { RunParts } from "./run-parts.ts";
import type { Mixed, StageInputs } from "./stage-batch.ts";
import { chainsOf } from "./stage-chains.ts";
import type { StagePlan } from "./stage-plan.ts";
import { type FeatureScale, scaled } from "./standardise.ts";
import type { ViewedFeatures } from "./viewed-features.ts";

/** One step: the places in the part of its batch's images, and of the second batch's where there is one. */
export interface StepRequest {
  places: readonly Uint32Array[];
  inEpoch: number;
  global: number;
}

export interface FedBatch {
  fed: Record<string, Uint8Array | Float32Array | Int32Array>;
  mixed?: Mixed;
}

export interface StageFeed extends StageInputs {
  /** Whether an epoch takes so long that it is worth saving. */
  readonly isSlow: boolean;
  /** Of these steps, in order; each is good until the next is asked for. */
  batches(requests: readonly StepRequest[], prefixes: readonly string[]): AsyncIterable<FedBatch[]>;
}

/** The tensors that images of a shape [batch, rows, columns, channels] come in. */
export function imageTensors(shape: readonly number[]): StageInputs {
  return {
    inputs: (prefix) => input(`${prefix}images`, shape, "byte"),
    view: (prefix, name) => input(`${prefix}view/${name}`, shape, "byte"),
  };
}

/** Images by the batch worker, as the run and the stage's views change them. */
export class ImageFeed implements StageFeed {
  readonly isSlow = true;
  readonly inputs: StageInputs["inputs"];
  readonly view: StageInputs["view"];
  readonly #run: RunParts;
  readonly #stage: Pick<Stage, "name" | "views">;
  readonly #plan: StagePlan;
  readonly #rows: Uint32Array;

  constructor(run: RunParts, stage: Pick<Stage, "name" | "views">, plan: StagePlan) {
    this.#run = run;
    this.#stage = stage;
    this.#plan = plan;
    this.#rows = run.data.rows(plan.part);
    const { height, width, channels } = run.dataset.images.shape!;
    const { inputs, view } = imageTensors([plan.batchSize, height, width, channels]);
    this.inputs = inputs;
    this.view = view;
  }

  /** Tells the worker how this stage's batches are made; before the first one. */
  async load(): Promise<void> {
    const { feed, spec, data, dataset, pixels } = this.#run;
    const { batchSize, scope, places } = this.#plan;
    const views = chainsOf(this.#stage, spec, data);
    const wantsMean = Object.values(views).some((uses) => new Chain(uses).wantsMean !== undefined);
    feed!.configure({
      batchSize,
      views,
      part: places === undefined ? this.#rows : places.map((place) => this.#rows[place]!),
      scope,
      mean: wantsMean ? await trainingMean(spec, dataset, pixels) : undefined,
    });
  }

  async *batches(requests: readonly StepRequest[], prefixes: readonly string[]): AsyncGenerator<FedBatch[]> {
    const asked = requests.flatMap(({ places, global }) =>
      places.map((list, i) => ({
        indices: list.map((place) => this.#rows[place]!),
        step: global,
        prefix: prefixes[i]!,
      })),
    );
    let step: FedBatch[] = [];
    for await (const batch of this.#run.feed!.batches(asked)) {
      const isLast = step.length === prefixes.length - 1;
      // What is held while the next batch is asked for has to be a copy.
      step.push(fedBatch(isLast ? batch : structuredClone(batch), prefixes[step.length]!));
      if (!isLast) continue;
      yield step;
      step = [];
    }
  }
}

function fedBatch({ views, codes, ownShares, partners, shares }: BatchBuffers, prefix: string): FedBatch {
  const fed: FedBatch["fed"] = { [`${prefix}images`]: views[ownChain] };
  for (const name of Object.keys(views)) {
    if (name === ownChain) continue;
    fed[`${prefix}view/${name}`] = views[name]!;
    fed[`${prefix}code/${name}`] = codes[name]!;
    fed[`${prefix}share/${name}`] = ownShares[name]!;
  }
  return { fed, mixed: { partners, shares } };
}

/**
 * Features: in memory whole, and a batch is taken out of them within the graph; or too many for that, and each batch is read
 * while the step before it is computed.
 */
export class FeatureFeed implements StageFeed {
  readonly isSlow: boolean;
  /** Places in the part that occur, each once: the rows of what is loaded. */
  readonly places: Uint32Array;
  /** Of each place of the part that occurs; undefined where that is the place itself. */
  readonly #rows: Int32Array | undefined;
  readonly #width: number;
  readonly #plan: StagePlan;
  readonly #isResident: boolean;
  readonly #isInOrder: boolean;
  /** Views of the stage, and the run's own changes, of a run on features that somebody brought. */
  readonly #chains: Chains;
  #matrix = new Float32Array(0);
  #read: ReadFeatures | undefined;
  #viewed: { of: ViewedFeatures; rows: Uint32Array; scale: FeatureScale | undefined } | undefined;

  constructor(
    source: Pick<FeatureSource, "width" | "most">,
    stage: Stage,
    plan: StagePlan,
    chains: Chains = { [ownChain]: [] },
  ) {
    this.#plan = plan;
    this.#width = source.width;
    this.#chains = chains;
    const { places, count } = plan;
    this.places =
      places === undefined
        ? Uint32Array.from({ length: count }, (_, i) => i)
        : Uint32Array.from(new Set(places));
    if (places !== undefined) {
      this.#rows = new Int32Array(this.places.reduce((a, b) => Math.max(a, b), 0) + 1);
      for (const [row, place] of this.places.entries()) this.#rows[place] = row;
    }
    if (plan.isFull)
      checkMemory(
        this.places.length,
        source,
        `stage "${stage.name}" takes all its images in every step`,
        stage.solve === undefined
          ? "give a --batch-size that is smaller than the number of images: features are then read batch by batch"
          : "choose fewer images, or a form of the method that is stepped along in batches",
      );
    this.#isResident = fitsMemory(this.places.length, source);
    this.isSlow = !this.#isResident;
    this.#isInOrder = plan.isFull && this.places.length === count;
  }

  get #whole(): Tensor {
    return input("features", [this.places.length, this.#width]);
  }

  /** From where the part's images are in the dataset, their features, and those of views; before the first batch. */
  async load(
    rows: Uint32Array,
    read: ReadFeatures,
    scale: FeatureScale | undefined,
    viewed?: ViewedFeatures,
  ): Promise<void> {
    if (viewed !== undefined) this.#viewed = { of: viewed, rows, scale };
    const readAt: ReadFeatures = async (places, into) => {
      const found = await read(
        places.map((place) => rows[place]!),
        into,
      );
      return scale === undefined ? found : scaled(found, this.#width, scale);
    };
    if (this.#isResident && !this.#isChanged) this.#matrix = await readAt(this.places);
    else this.#read = readAt;
  }

  /** Of each feature over what is loaded. */
  meanSquares(): Float64Array {
    const width = this.#width;
    const squares = new Float64Array(width);
    for (const [i, value] of this.#matrix.entries()) squares[i % width]! += value * value;
    return squares.map((total) => total / this.places.length);
  }

  readonly inputs = (prefix: string): Tensor => {
    const { batchSize } = this.#plan;
    if (!this.#isResident || this.#isChanged) return input(`${prefix}features`, [batchSize, this.#width]);
    return this.#isInOrder ? this.#whole : gather(this.#whole, input(`${prefix}chosen`, [batchSize], "int"));
  };

  readonly view = (prefix: string, name: string): Tensor => {
    if ((this.#chains[name]?.length ?? 0) > 0)
      return input(`${prefix}view/${name}`, [this.#plan.batchSize, this.#width]);
    throw new CuelabError({ kind: "failure", what: "features have no views: views are of images" });
  };

  /** Whether the images themselves come changed. */
  get #isChanged(): boolean {
    return this.#chains[ownChain].length > 0;
  }

  async *batches(requests: readonly StepRequest[], prefixes: readonly string[]): AsyncGenerator<FedBatch[]> {
    const plain = this.#isResident ? this.#resident(requests, prefixes) : this.#streamed(requests, prefixes);
    if (this.#viewed === undefined) {
      yield* plain;
      return;
    }
    const { of, rows, scale } = this.#viewed;
    const scaledRows = (features: Float32Array<ArrayBuffer>) =>
      scale === undefined ? features : scaled(features, this.#width, scale);
    let step = 0;
    for await (const batches of this.#isChanged ? empty(requests) : plain) {
      const { places, global } = requests[step++]!;
      const all: FedBatch[] = [];
      for (const [i, prefix] of prefixes.entries()) {
        const indices = places[i]!.map((place) => rows[place]!);
        const { fed, mixed } = await of.batch(indices, global, prefix, scaledRows);
        all.push({ fed: { ...batches[i]?.fed, ...fed }, ...(mixed && { mixed }) });
      }
      yield all;
    }
  }

  async *#streamed(
    requests: readonly StepRequest[],
    prefixes: readonly string[],
  ): AsyncGenerator<FedBatch[]> {
    const size = this.#plan.batchSize * this.#width;
    // One in the step, the other being read: they take turns.
    const memory = [0, 1].map(() => prefixes.map(() => new Float32Array(size)));
    const begun = (turn: number) =>
      Promise.all(
        requests[turn]!.places.map(async (places, i) => ({
          fed: { [`${prefixes[i]}features`]: await this.#read!(places, memory[turn % 2]![i]!) },
        })),
      );
    let next = requests.length > 0 ? begun(0) : undefined;
    try {
      for (let turn = 0; turn < requests.length; turn++) {
        const now = await next!;
        next = turn + 1 < requests.length ? begun(turn + 1) : undefined;
        // Told when it is waited for.
        next?.catch(() => {});
        yield now;
      }
    } finally {
      // Nobody reads from the file any more when it is closed.
      await next?.catch(() => {});
    }
  }

  async *#resident(
    requests: readonly StepRequest[],
    prefixes: readonly string[],
  ): AsyncGenerator<FedBatch[]> {
    for (const { places } of requests) {
      yield places.map((list, i) => ({
        fed: {
          features: this.#matrix,
          ...(!this.#isInOrder && {
            [`${prefixes[i]}chosen`]: this.#chosen(list),
          }),
        },
      }));
    }
  }

  #chosen(places: Uint32Array): Int32Array {
    const chosen = new Int32Array(places.length);
    const rows = this.#rows;
    for (let i = 0; i < places.length; i++) chosen[i] = rows === undefined ? places[i]! : rows[places[i]!]!;
    return chosen;
  }
}

async function* empty(requests: readonly StepRequest[]): AsyncGenerator<FedBatch[]> {
  for (const { places } of requests) yield places.map(() => ({ fed: {} }));
}

/** Columns alone. */
export class NoFeed implements StageFeed {
  readonly isSlow = false;
  readonly inputs = (): Tensor => {
    throw new CuelabError({
      kind: "failure",
      what: "a stage that takes nothing but columns asks for its inputs",
      expected: 'inputs: "images" or "features"',
    });
  };

  readonly view = (): Tensor => this.inputs();

  async *batches(requests: readonly StepRequest[]): AsyncGenerator<FedBatch[]> {
    for (const { places } of requests) yield places.map(() => ({ fed: {} }));
  }
}
