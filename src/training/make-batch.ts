/** Fills a batch with images, viewed and mixed as asked, from the seed, the step and the place in the batch alone. */

import type { Dataset, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type RandomStream, randomStream } from "../core/random.ts";
import type { Inputs } from "../images/recipe.ts";
import { Chain, mixedTwice } from "../views/chain.ts";
import type { PartnerKind, Viewed, ViewPartner, ViewUse } from "../views/view.ts";
import { KeptPictures } from "./kept-pictures.ts";
import { Partners } from "./partners.ts";

/** The chain of views that is always there: the run's own changes of its images. */
export const ownChain = "images";

/** Views one after the other, by the name under which a method finds what they make. */
export type Chains = Readonly<Record<string, readonly ViewUse[]>> & {
  readonly [ownChain]: readonly ViewUse[];
};

/** How batches are made until it is said otherwise. */
export interface BatchPlan {
  batchSize: number;
  views: Chains;
  /** Indices in the dataset among which partners are drawn. */
  part: Uint32Array;
  /** Put before the purposes of random numbers, such as `retrain/`: each stage of a method has its own, the first none. */
  scope: string;
  /** Of each channel over the training images, in bytes; where a view wants it. */
  mean?: readonly number[] | undefined;
}

/** What a batch consists of; of what is there for each chain, under its name. */
export interface BatchBuffers {
  /** [batch, height, width, channels] */
  views: Readonly<Record<string, Uint8Array>> & { readonly [ownChain]: Uint8Array };
  /** Which of its changes a chain made of each image; 0 where it has no choice. */
  codes: Readonly<Record<string, Int32Array>>;
  /** How much of each image the views of a chain have left its own. */
  ownShares: Readonly<Record<string, Float32Array>>;
  /** Whose label the rest of the loss goes to, where the batch is mixed: a place in the batch. */
  partners: Int32Array;
  /** How much of an image's loss is its own then. */
  shares: Float32Array;
}

export interface BatchRequest {
  indices: Uint32Array;
  /** Number of the training step; undefined means the images as they are, and only those. */
  step?: number;
  /** Put between scope and purpose: a second batch of a step has random numbers of its own. */
  prefix?: string;
}

interface PlannedBatch extends Pick<BatchPlan, "scope" | "mean"> {
  chains: readonly (readonly [name: string, chain: Chain])[];
  partners: Partners;
  mixing: Chain["mixing"];
}

/** Of one chain. */
interface BatchStreams {
  augment: RandomStream;
  partner: RandomStream;
}

/** Images as they are. */
const plainChains = [[ownChain, new Chain([])]] as const;

export class BatchMaker {
  readonly #inputs: Inputs;
  readonly #pictures: KeptPictures;
  readonly #shape: ImageShape;
  readonly #labels: ArrayLike<number>;
  readonly #seed: number;
  #plan: PlannedBatch | undefined;

  constructor(
    inputs: Inputs,
    { labels, seed, keeps = true }: Pick<Dataset, "labels"> & { seed: number; keeps?: boolean },
  ) {
    this.#inputs = inputs;
    this.#pictures = new KeptPictures(inputs, keeps);
    this.#shape = inputs.images.shape!;
    this.#labels = labels;
    this.#seed = seed;
  }

  configure({ views, part, scope, mean }: Omit<BatchPlan, "batchSize">): void {
    const chains = Object.entries(views).map(([name, uses]) => [name, new Chain(uses)] as const);
    this.#plan = {
      chains,
      scope,
      mean,
      partners: new Partners(part, this.#labels),
      mixing: mixingOf(chains.map(([, chain]) => chain)),
    };
    this.#pictures.keepSides(chains.flatMap(([, chain]) => chain.needs));
  }

  /** Where there is no step, nothing needs to have been configured. */
  async fill({ indices, step, prefix = "" }: BatchRequest, batch: BatchBuffers): Promise<void> {
    const plan = step === undefined ? undefined : this.#plan!;
    const size = this.#shape.height * this.#shape.width * this.#shape.channels;
    const streams = plan?.chains.map(([name]) => this.#streams(name, plan.scope + prefix));
    for (const [i, index] of indices.entries()) {
      const { data } = await this.#pictures.image(index);
      batch.partners[i] = i;
      batch.shares[i] = 1;
      for (const [c, [name, chain]] of (plan?.chains ?? plainChains).entries()) {
        const own = batch.views[name]!.subarray(i * size, (i + 1) * size);
        own.set(data);
        batch.codes[name]![i] = 0;
        batch.ownShares[name]![i] = 1;
        if (plan === undefined || chain.isEmpty) continue;
        const { pixels, code, share } = await this.#viewed(chain, own, index, {
          plan,
          streams: streams![c]!,
          place: step! * indices.length + i,
        });
        if (pixels.data !== own) own.set(pixels.data);
        batch.codes[name]![i] = code;
        batch.ownShares[name]![i] = share;
      }
    }
    if (plan?.mixing) this.#mix(plan, randomStream(this.#seed, `${plan.scope}${prefix}mix`), step!, batch);
  }

  /** The same random numbers for every chain, so the same partners and shares. */
  #mix(
    { mixing, chains }: PlannedBatch,
    stream: RandomStream,
    step: number,
    { views, partners, shares }: BatchBuffers,
  ): void {
    for (const [name] of chains) {
      const batch = { images: views[name]!, shape: this.#shape, partners, shares };
      mixing!.view.mix(batch, mixing!.settings, stream.at(step));
    }
  }

  #streams(chain: string, scope: string): BatchStreams {
    const of = (purpose: string) =>
      randomStream(this.#seed, `${scope}${chain === ownChain ? purpose : `${purpose}/${chain}`}`);
    return { augment: of("augment"), partner: of("partner") };
  }

  /** What goes wrong with an image is told with its name. */
  async #viewed(
    chain: Chain,
    data: Uint8Array,
    index: number,
    { plan, streams, place }: { plan: PlannedBatch; streams: BatchStreams; place: number },
  ): Promise<Required<Viewed>> {
    const draw = (kind: PartnerKind) =>
      plan.partners.draw(kind, this.#labels[index]!, streams.partner.at(place));
    try {
      return await chain.make(
        { data, ...this.#shape },
        {
          label: this.#labels[index]!,
          random: streams.augment.at(place),
          mean: plan.mean,
          side: (name) => this.#pictures.side(name, index),
          box: async (name) => this.#inputs.boxes![name]!.at(index),
          partner: this.#partnersBy(draw),
        },
      );
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      throw new CuelabError({ where: this.#inputs.images.describe(index), ...cause.parts });
    }
  }

  /** One of each kind an image, whoever asks, and however often. */
  #partnersBy(draw: (kind: PartnerKind) => number): (kind: PartnerKind) => Promise<ViewPartner> {
    const drawn = new Map<PartnerKind, ViewPartner>();
    return async (kind) => {
      const known = drawn.get(kind);
      if (known) return known;
      const other = draw(kind);
      const partner: ViewPartner = {
        label: this.#labels[other]!,
        pixels: async () => copied(await this.#pictures.image(other)),
        side: (name) => this.#pictures.side(name, other),
        box: async (name) => this.#inputs.boxes![name]!.at(other),
      };
      drawn.set(kind, partner);
      return partner;
    };
  }
}

/** One for all chains: those of a method's views go on with the run's own changes, and name the same. */
export function mixingOf(chains: readonly Chain[]): Chain["mixing"] {
  const found = chains.flatMap(({ mixing }) => mixing ?? []);
  const texts = new Set(found.map(({ view, settings }) => JSON.stringify([view.name, settings])));
  if (texts.size > 1) throw mixedTwice(found.map(({ view }) => view.name));
  return found[0];
}

/** Views may change what they are handed, and it may be kept for later. */
function copied(pixels: Pixels): Pixels {
  return { ...pixels, data: Uint8Array.from(pixels.data) };
}
