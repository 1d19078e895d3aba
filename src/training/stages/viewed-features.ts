/** Batches of features of changed images: of those copies that were extracted, one an image and step. */

import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import type { OpenedView } from "../../runs/feature-views.ts";
import { Chain } from "../../views/chain.ts";
import type { ResolvedUse } from "../../views/view.ts";
import { rowsAt } from "../feature-rows.ts";
import { type Chains, ownChain } from "../make-batch.ts";
import type { Mixed } from "./stage-batch.ts";

/** Finds what was extracted by a chain of views; an error that says so where nothing was. */
export type FindView = (chain: readonly ResolvedUse[]) => Promise<OpenedView>;

interface FoundView {
  name: string;
  view: OpenedView;
  /** Row of each copy of each image of the dataset; −1 of those that are not training images. */
  rowOf: Int32Array;
}

export interface ViewedBatch {
  fed: Record<string, Float32Array | Int32Array>;
  mixed?: Mixed;
}

export class ViewedFeatures {
  readonly #found: readonly FoundView[];
  readonly #images: number;
  readonly #labels: ArrayLike<number>;
  readonly #mixes: boolean;
  readonly #stream: (prefix: string) => ReturnType<typeof randomStream>;

  private constructor(
    found: readonly FoundView[],
    {
      labels,
      mixes,
      seed,
      scope,
    }: { labels: ArrayLike<number>; mixes: boolean; seed: number; scope: string },
  ) {
    this.#found = found;
    this.#images = labels.length;
    this.#labels = labels;
    this.#mixes = mixes;
    this.#stream = (prefix) => randomStream(seed, `${scope}${prefix}copy`);
  }

  /** Of the chains that change images; all others are the features as they are. */
  static async open(
    chains: Chains,
    find: FindView,
    given: { labels: ArrayLike<number>; seed: number; scope: string },
  ): Promise<ViewedFeatures> {
    const named = Object.entries(chains).filter(([, chain]) => chain.length > 0);
    const mixes = new Chain(chains[ownChain]).mixing !== undefined;
    if (mixes && named.length > 1) throw mixedViews(named.map(([name]) => name));
    const found: FoundView[] = [];
    for (const [name, chain] of named) {
      const view = await find(chain as ResolvedUse[]);
      found.push({ name, view, rowOf: rowsOf(view, given.labels.length) });
    }
    return new ViewedFeatures(found, { ...given, mixes });
  }

  /** Features of images of the dataset at one step, brought to a scale by `scale`. */
  async batch(
    indices: Uint32Array,
    step: number,
    prefix: string,
    scale: (features: Float32Array<ArrayBuffer>) => Float32Array,
  ): Promise<ViewedBatch> {
    const fed: ViewedBatch["fed"] = {};
    let mixed: Mixed | undefined;
    for (const { name, view, rowOf } of this.#found) {
      // The same for every view, so that what a view makes of an image is compared with its like.
      const random = this.#stream(prefix).at(step);
      const rows = indices.map((index) => {
        const row = rowOf[random.integer(view.about.copies) * this.#images + index]!;
        if (row < 0) throw notExtracted(index, view.about.name);
        return row;
      });
      const features = scale(await featuresAt(view, rows));
      if (name === ownChain) {
        fed[`${prefix}features`] = features;
        if (this.#mixes) mixed = this.#mixed(view, rows);
        continue;
      }
      fed[`${prefix}view/${name}`] = features;
      fed[`${prefix}code/${name}`] = Int32Array.from(rows, (row) => view.rows[3 * row + 2]!);
      fed[`${prefix}share/${name}`] = Float32Array.from(rows, (row) => view.shares[2 * row]!);
    }
    return { fed, ...(mixed && { mixed }) };
  }

  /** Partners are images of the extraction, which need not be in the batch: their labels are all that is wanted. */
  #mixed({ rows, shares }: OpenedView, chosen: Uint32Array): Mixed {
    return {
      partnerLabels: Int32Array.from(chosen, (row) => this.#labels[rows[3 * row + 1]!]!),
      shares: Float32Array.from(chosen, (row) => shares[2 * row + 1]!),
    };
  }
}

async function featuresAt(
  { about, features }: OpenedView,
  rows: Uint32Array,
): Promise<Float32Array<ArrayBuffer>> {
  if (features instanceof Float32Array)
    return rowsAt(features, features.length / (about.copies * about.images), rows);
  const into = new Float32Array(rows.length * features.width);
  await features.read(rows, into);
  return into;
}

function rowsOf({ about, rows }: OpenedView, images: number): Int32Array {
  const found = new Int32Array(about.copies * images).fill(-1);
  for (let row = 0; row < rows.length / 3; row++)
    found[Math.floor(row / about.images) * images + rows[3 * row]!] = row;
  return found;
}

function mixedViews(names: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "over features, images cannot be mixed where a method compares several views of them",
    expected: "the same partner in every view, which an extraction does not know of",
    got: `views ${names.join(", ")}`,
    todo: "leave mixup and cutmix away, or train on images",
  });
}

function notExtracted(index: number, view: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `image ${index} was not extracted by view "${view}"`,
    expected: "training images: views are of these alone",
    todo: "choose a form of the method that learns from training images",
  });
}
