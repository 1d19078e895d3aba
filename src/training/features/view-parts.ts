/** Features of training images as a chain of views changes them: copy by copy, batch by batch, the same wherever it begins. */

import { randomStream } from "../../core/random.ts";
import type { ViewRows } from "../../runs/feature-writer.ts";
import { parseAugmentations, resolveAugmentations } from "../../views/augmentations.ts";
import { Chain } from "../../views/chain.ts";
import type { ResolvedUse, ViewUse } from "../../views/view.ts";
import type { BatchFeed } from "../batch-feed.ts";
import { ownChain } from "../make-batch.ts";
import { type FeatureNetwork, finiteRows } from "./feature-network.ts";

/** A chain of views, and what it is called in a folder of features. */
export interface AskedView {
  name: string;
  chain: readonly ResolvedUse[];
}

/**
 * As the command line has them: `background-swap` and `crop+flip`, which is one after the other; settings of any of them as
 * `mixup.alpha=0.1`.
 */
export function parseViews(words: readonly string[], assignments: readonly string[]): AskedView[] {
  const all = words.flatMap((word) => word.split("+"));
  const used = new Map(
    parseAugmentations([...new Set(all)], assignments).map((use) => [use.view, use] as const),
  );
  return viewsNamed(words.map((word) => word.split("+").map((name) => used.get(name)!)));
}

/** Each by the views that it is made of; another of the same views has a number. */
export function viewsNamed(chains: readonly (readonly ViewUse[])[]): AskedView[] {
  const names = new Map<string, number>();
  return chains.map((uses) => {
    const chain = resolveAugmentations([...uses]);
    const name = chain.map(({ view }) => view).join("-");
    const number = (names.get(name) ?? 0) + 1;
    names.set(name, number);
    return { name: number === 1 ? name : `${name}-${number}`, chain };
  });
}

export interface ViewPartOptions {
  feed: BatchFeed;
  network: FeatureNetwork;
  /** Indices in the dataset. */
  training: Uint32Array;
  copies: number;
  seed: number;
  /** Rows that are there already: whole copies, and whole batches of the next. */
  first: number;
  mean: () => Promise<number[]>;
  describe: (index: number) => string;
}

/** Rows in the order in which they are made: where images are mixed with each other, every copy has an order of its own. */
export async function* viewParts(
  { name, chain }: AskedView,
  { feed, network, training, copies, seed, first, mean, describe }: ViewPartOptions,
): AsyncGenerator<ViewRows> {
  const { width, batch } = network;
  const { mixing, wantsMean } = new Chain(chain);
  const scope = `view/${name}/`;
  feed.configure({
    batchSize: batch,
    views: { [ownChain]: chain },
    part: training,
    scope,
    mean: wantsMean === undefined ? undefined : await mean(),
  });
  const batches = Math.ceil(training.length / batch);
  const begun = Math.floor(first / training.length) * batches + (first % training.length) / batch;
  const order = (copy: number) =>
    mixing === undefined
      ? training
      : randomStream(seed, `${scope}order`).at(copy).shuffle(Uint32Array.from(training));
  let copy = -1;
  let ordered = training;
  const places = Array.from({ length: copies * batches - begun }, (_, i) => {
    const step = begun + i;
    if (Math.floor(step / batches) !== copy) {
      copy = Math.floor(step / batches);
      ordered = order(copy);
    }
    const from = (step % batches) * batch;
    const used = Math.min(batch, training.length - from);
    const indices = Uint32Array.from({ length: batch }, (_, k) => ordered[from + Math.min(k, used - 1)]!);
    return { step, used, indices };
  });
  let at = 0;
  for await (const { views, codes, ownShares, partners, shares } of feed.batches(places)) {
    const { used, indices } = places[at++]!;
    const features = finiteRows(await network.run(views[ownChain]), used * width, {
      width,
      describe: (row) => `${describe(indices[row]!)} by view "${name}"`,
    });
    const rows = new Int32Array(3 * used);
    const left = new Float32Array(2 * used);
    for (let row = 0; row < used; row++) {
      rows.set([indices[row]!, indices[partners[row]!]!, codes[ownChain]![row]!], 3 * row);
      left.set([ownShares[ownChain]![row]!, shares[row]!], 2 * row);
    }
    yield { features, rows, shares: left };
  }
}
